PictureProbe.run()
