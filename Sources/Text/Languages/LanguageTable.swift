// Made by LanguageTable.py from Unicode's CLDR as Babel 2.18.0 has it, under the
// Unicode License v3. Not to be changed by hand.

extension StaticTable {
    /// English names of languages by their tags.
    static let languages = StaticTable(
        """
        aa=Afar|ab=Abkhazian|ace=Acehnese|ach=Acoli|ada=Adangme|ady=Adyghe|ae=Avestan|aeb=Tunisian Arabic|\
        af=Afrikaans|afh=Afrihili|agq=Aghem|ain=Ainu|ak=Akan|akk=Akkadian|akz=Alabama|ale=Aleut|aln=Gheg Albanian|\
        alt=Southern Altai|am=Amharic|an=Aragonese|ang=Old English|ann=Obolo|anp=Angika|ar=Arabic|arc=Aramaic|\
        arn=Mapuche|aro=Araona|arp=Arapaho|arq=Algerian Arabic|ars=Najdi Arabic|arw=Arawak|ary=Moroccan Arabic|\
        arz=Egyptian Arabic|as=Assamese|asa=Asu|ase=American Sign Language|ast=Asturian|atj=Atikamekw|av=Avaric|\
        avk=Kotava|awa=Awadhi|ay=Aymara|az=Azerbaijani|ba=Bashkir|bal=Baluchi|ban=Balinese|bar=Bavarian|bas=Basaa|\
        bax=Bamun|bbc=Batak Toba|bbj=Ghomala|be=Belarusian|bej=Beja|bem=Bemba|bew=Betawi|bez=Bena|bfd=Bafut|\
        bfq=Badaga|bg=Bulgarian|bgc=Haryanvi|bgn=Western Balochi|bho=Bhojpuri|bi=Bislama|bik=Bikol|bin=Bini|\
        bjn=Banjar|bkm=Kom|bla=Siksiká|blo=Anii|blt=Tai Dam|bm=Bambara|bn=Bangla|bo=Tibetan|bpy=Bishnupriya|\
        bqi=Bakhtiari|br=Breton|bra=Braj|brh=Brahui|brx=Bodo|bs=Bosnian|bss=Akoose|bua=Buriat|bug=Buginese|bum=Bulu|\
        byn=Blin|byv=Medumba|ca=Catalan|cad=Caddo|car=Carib|cay=Cayuga|cch=Atsam|ccp=Chakma|ce=Chechen|ceb=Cebuano|\
        cgg=Chiga|ch=Chamorro|chb=Chibcha|chg=Chagatai|chk=Chuukese|chm=Mari|chn=Chinook Jargon|cho=Choctaw|\
        chp=Chipewyan|chr=Cherokee|chy=Cheyenne|cic=Chickasaw|ckb=Central Kurdish|clc=Chilcotin|co=Corsican|\
        cop=Coptic|cps=Capiznon|cr=Cree|crg=Michif|crh=Crimean Tatar|crj=Southern East Cree|crk=Plains Cree|\
        crl=Northern East Cree|crm=Moose Cree|crr=Carolina Algonquian|crs=Seselwa Creole French|cs=Czech|\
        csb=Kashubian|csw=Swampy Cree|cu=Church Slavic|cv=Chuvash|cy=Welsh|da=Danish|dak=Dakota|dar=Dargwa|dav=Taita|\
        de=German|del=Delaware|den=Slave|dgr=Dogrib|din=Dinka|dje=Zarma|doi=Dogri|dsb=Lower Sorbian|dtp=Central Dusun|\
        dua=Duala|dum=Middle Dutch|dv=Divehi|dyo=Jola-Fonyi|dyu=Dyula|dz=Dzongkha|dzg=Dazaga|ebu=Embu|ee=Ewe|efi=Efik|\
        egl=Emilian|egy=Ancient Egyptian|eka=Ekajuk|el=Greek|elx=Elamite|en=English|en-CA=Canadian English|\
        en-GB=British English|en-US=American English|enm=Middle English|eo=Esperanto|es=Spanish|\
        es-419=Latin American Spanish|es-ES=European Spanish|es-MX=Mexican Spanish|esu=Central Yupik|et=Estonian|\
        eu=Basque|ewo=Ewondo|ext=Extremaduran|fa=Persian|fan=Fang|fat=Fanti|ff=Fula|fi=Finnish|fil=Filipino|\
        fit=Tornedalen Finnish|fj=Fijian|fo=Faroese|fon=Fon|fr=French|fr-CA=Canadian French|fr-CH=Swiss French|\
        frc=Cajun French|frm=Middle French|fro=Old French|frp=Arpitan|frr=Northern Frisian|frs=Eastern Frisian|\
        fur=Friulian|fy=Western Frisian|ga=Irish|gaa=Ga|gag=Gagauz|gan=Gan Chinese|gay=Gayo|gba=Gbaya|\
        gbz=Zoroastrian Dari|gd=Scottish Gaelic|gez=Geez|gil=Gilbertese|gl=Galician|glk=Gilaki|gmh=Middle High German|\
        gn=Guarani|goh=Old High German|gon=Gondi|gor=Gorontalo|got=Gothic|grb=Grebo|grc=Ancient Greek|\
        gsw=Swiss German|gu=Gujarati|guc=Wayuu|gur=Frafra|guz=Gusii|gv=Manx|gwi=Gwichʼin|ha=Hausa|hai=Haida|\
        hak=Hakka Chinese|haw=Hawaiian|hax=Southern Haida|he=Hebrew|hi=Hindi|hif=Fiji Hindi|hil=Hiligaynon|\
        hit=Hittite|hmn=Hmong|hnj=Hmong Njua|ho=Hiri Motu|hr=Croatian|hsb=Upper Sorbian|hsn=Xiang Chinese|\
        ht=Haitian Creole|hu=Hungarian|hup=Hupa|hur=Halkomelem|hy=Armenian|hz=Herero|ia=Interlingua|iba=Iban|\
        ibb=Ibibio|id=Indonesian|ie=Interlingue|ig=Igbo|ii=Sichuan Yi|ik=Inupiaq|ikt=Western Canadian Inuktitut|\
        ilo=Iloko|inh=Ingush|io=Ido|is=Icelandic|it=Italian|iu=Inuktitut|izh=Ingrian|ja=Japanese|\
        jam=Jamaican Creole English|jbo=Lojban|jgo=Ngomba|jmc=Machame|jpr=Judeo-Persian|jrb=Judeo-Arabic|jut=Jutish|\
        jv=Javanese|ka=Georgian|kaa=Kara-Kalpak|kab=Kabyle|kac=Kachin|kaj=Jju|kam=Kamba|kaw=Kawi|kbd=Kabardian|\
        kbl=Kanembu|kcg=Tyap|kde=Makonde|kea=Kabuverdianu|ken=Kenyang|kfo=Koro|kg=Kongo|kgp=Kaingang|kha=Khasi|\
        kho=Khotanese|khq=Koyra Chiini|khw=Khowar|ki=Kikuyu|kiu=Kirmanjki|kj=Kuanyama|kk=Kazakh|kkj=Kako|\
        kl=Kalaallisut|kln=Kalenjin|km=Khmer|kmb=Kimbundu|kn=Kannada|ko=Korean|koi=Komi-Permyak|kok=Konkani|\
        kos=Kosraean|kpe=Kpelle|kr=Kanuri|krc=Karachay-Balkar|kri=Krio|krj=Kinaray-a|krl=Karelian|kru=Kurukh|\
        ks=Kashmiri|ksb=Shambala|ksf=Bafia|ksh=Colognian|ku=Kurdish|kum=Kumyk|kut=Kutenai|kv=Komi|kw=Cornish|\
        kwk=Kwakʼwala|kxv=Kuvi|ky=Kyrgyz|la=Latin|lad=Ladino|lag=Langi|lah=Western Panjabi|lam=Lamba|lb=Luxembourgish|\
        lez=Lezghian|lfn=Lingua Franca Nova|lg=Ganda|li=Limburgish|lij=Ligurian|lil=Lillooet|liv=Livonian|lkt=Lakota|\
        lmo=Lombard|ln=Lingala|lo=Lao|lol=Mongo|lou=Louisiana Creole|loz=Lozi|lrc=Northern Luri|lsm=Saamia|\
        lt=Lithuanian|ltg=Latgalian|lu=Luba-Katanga|lua=Luba-Lulua|lui=Luiseno|lun=Lunda|luo=Luo|lus=Mizo|luy=Luyia|\
        lv=Latvian|lzh=Literary Chinese|lzz=Laz|mad=Madurese|maf=Mafa|mag=Magahi|mai=Maithili|mak=Makasar|\
        man=Mandingo|mas=Masai|mde=Maba|mdf=Moksha|mdr=Mandar|men=Mende|mer=Meru|mfe=Morisyen|mg=Malagasy|\
        mga=Middle Irish|mgh=Makhuwa-Meetto|mgo=Metaʼ|mh=Marshallese|mi=Māori|mic=Mi'kmaw|min=Minangkabau|\
        mk=Macedonian|ml=Malayalam|mn=Mongolian|mnc=Manchu|mni=Manipuri|moe=Innu-aimun|moh=Mohawk|mos=Mossi|\
        mr=Marathi|mrj=Western Mari|ms=Malay|mt=Maltese|mua=Mundang|mul=Multiple languages|mus=Muscogee|mwl=Mirandese|\
        mwr=Marwari|mwv=Mentawai|my=Burmese|mye=Myene|myv=Erzya|mzn=Mazanderani|na=Nauru|nan=Min Nan Chinese|\
        nap=Neapolitan|naq=Nama|nb=Norwegian Bokmål|nd=North Ndebele|nds=Low German|nds-NL=Low Saxon|ne=Nepali|\
        new=Newari|ng=Ndonga|nia=Nias|niu=Niuean|njo=Ao Naga|nl=Dutch|nl-BE=Flemish|nmg=Kwasio|nn=Norwegian Nynorsk|\
        nnh=Ngiemboon|no=Norwegian|nog=Nogai|non=Old Norse|nov=Novial|nqo=N'Ko|nr=South Ndebele|nso=Northern Sotho|\
        nus=Nuer|nv=Navajo|nwc=Classical Newari|ny=Nyanja|nym=Nyamwezi|nyn=Nyankole|nyo=Nyoro|nzi=Nzima|oc=Occitan|\
        oj=Ojibwa|ojb=Northwestern Ojibwa|ojc=Central Ojibwa|ojs=Oji-Cree|ojw=Western Ojibwa|oka=Okanagan|om=Oromo|\
        or=Odia|os=Ossetic|osa=Osage|ota=Ottoman Turkish|pa=Punjabi|pag=Pangasinan|pal=Pahlavi|pam=Pampanga|\
        pap=Papiamento|pau=Palauan|pcd=Picard|pcm=Nigerian Pidgin|pdc=Pennsylvania German|pdt=Plautdietsch|\
        peo=Old Persian|pfl=Palatine German|phn=Phoenician|pi=Pali|pis=Pijin|pl=Polish|pms=Piedmontese|pnt=Pontic|\
        pon=Pohnpeian|pqm=Maliseet-Passamaquoddy|prg=Prussian|pro=Old Provençal|ps=Pashto|pt=Portuguese|\
        pt-BR=Brazilian Portuguese|pt-PT=European Portuguese|qu=Quechua|quc=Kʼicheʼ|qug=Chimborazo Highland Quichua|\
        raj=Rajasthani|rap=Rapanui|rar=Rarotongan|rgn=Romagnol|rhg=Rohingya|rif=Riffian|rm=Romansh|rn=Rundi|\
        ro=Romanian|rof=Rombo|rom=Romany|rtm=Rotuman|ru=Russian|rue=Rusyn|rug=Roviana|rup=Aromanian|rw=Kinyarwanda|\
        rwk=Rwa|sa=Sanskrit|sad=Sandawe|sah=Yakut|sam=Samaritan Aramaic|saq=Samburu|sas=Sasak|sat=Santali|\
        saz=Saurashtra|sba=Ngambay|sbp=Sangu|sc=Sardinian|scn=Sicilian|sco=Scots|sd=Sindhi|sdc=Sassarese Sardinian|\
        sdh=Southern Kurdish|se=Northern Sami|see=Seneca|seh=Sena|sei=Seri|sel=Selkup|ses=Koyraboro Senni|sg=Sango|\
        sga=Old Irish|sgs=Samogitian|sh=Serbo-Croatian|shi=Tachelhit|shn=Shan|shu=Chadian Arabic|si=Sinhala|\
        sid=Sidamo|sk=Slovak|sl=Slovenian|slh=Southern Lushootseed|sli=Lower Silesian|sly=Selayar|sm=Samoan|\
        sma=Southern Sami|smj=Lule Sami|smn=Inari Sami|sms=Skolt Sami|sn=Shona|snk=Soninke|so=Somali|sog=Sogdien|\
        sq=Albanian|sr=Serbian|srn=Sranan Tongo|srr=Serer|ss=Swati|ssy=Saho|st=Southern Sotho|stq=Saterland Frisian|\
        str=Straits Salish|su=Sundanese|suk=Sukuma|sus=Susu|sux=Sumerian|sv=Swedish|sw=Swahili|swb=Comorian|\
        syc=Classical Syriac|syr=Syriac|szl=Silesian|ta=Tamil|tce=Southern Tutchone|tcy=Tulu|te=Telugu|tem=Timne|\
        teo=Teso|ter=Tereno|tet=Tetum|tg=Tajik|tgx=Tagish|th=Thai|tht=Tahltan|ti=Tigrinya|tig=Tigre|tiv=Tiv|\
        tk=Turkmen|tkl=Tokelau|tkr=Tsakhur|tl=Tagalog|tlh=Klingon|tli=Tlingit|tly=Talysh|tmh=Tamashek|tn=Tswana|\
        to=Tongan|tog=Nyasa Tonga|tok=Toki Pona|tpi=Tok Pisin|tr=Turkish|tru=Turoyo|trv=Taroko|trw=Torwali|ts=Tsonga|\
        tsd=Tsakonian|tsi=Tsimshian|tt=Tatar|ttm=Northern Tutchone|ttt=Muslim Tat|tum=Tumbuka|tvl=Tuvalu|tw=Twi|\
        twq=Tasawaq|ty=Tahitian|tyv=Tuvinian|tzm=Central Atlas Tamazight|udm=Udmurt|ug=Uyghur|uga=Ugaritic|\
        uk=Ukrainian|umb=Umbundu|und=Unknown language|ur=Urdu|uz=Uzbek|vai=Vai|ve=Venda|vec=Venetian|vep=Veps|\
        vi=Vietnamese|vls=West Flemish|vmf=Main-Franconian|vmw=Makhuwa|vo=Volapük|vot=Votic|vro=Võro|vun=Vunjo|\
        wa=Walloon|wae=Walser|wal=Wolaytta|war=Waray|was=Washo|wbp=Warlpiri|wo=Wolof|wuu=Wu Chinese|xal=Kalmyk|\
        xh=Xhosa|xmf=Mingrelian|xnr=Kangri|xog=Soga|yao=Yao|yap=Yapese|yav=Yangben|ybb=Yemba|yi=Yiddish|yo=Yoruba|\
        yrl=Nheengatu|yue=Cantonese|za=Zhuang|zap=Zapotec|zbl=Blissymbols|zea=Zeelandic|zen=Zenaga|\
        zgh=Standard Moroccan Tamazight|zh=Chinese|zh-Hans=Simplified Chinese|zh-Hant=Traditional Chinese|zu=Zulu|\
        zun=Zuni|zxx=No linguistic content|zza=Zaza
        """)

    /// Language tags by other codes of the same language.
    static let languageCodes = StaticTable(
        """
        aar=aa|abk=ab|adp=dz|afr=af|ajt=aeb|aju=jrb|aka=ak|alb=sq|als=sq|amh=am|ara=ar|arb=ar|arg=an|arm=hy|asm=as|\
        ava=av|ave=ae|aym=ay|ayr=ay|aze=az|azj=az|bak=ba|bam=bm|baq=eu|bcc=bal|bcl=bik|bel=be|ben=bn|bh=bho|bih=bho|\
        bis=bi|blg=iba|bod=bo|bos=bs|bre=br|bul=bg|bur=my|bxk=luy|bxr=bua|cat=ca|ces=cs|cha=ch|che=ce|chi=zh|chu=cu|\
        chv=cv|cld=syr|cls=sa|cmn=zh|cor=kw|cos=co|cre=cr|cwd=cr|cym=cy|cze=cs|dan=da|deu=de|dgo=doi|dhd=mwr|dik=din|\
        diq=zza|div=dv|drh=mn|dut=nl|dzo=dz|ekk=et|ell=el|emk=man|eng=en|epo=eo|esk=ik|est=et|eus=eu|ewe=ee|fao=fo|\
        fas=fa|fij=fj|fin=fi|fra=fr|fre=fr|fry=fy|fuc=ff|ful=ff|gaz=om|gbo=grb|geo=ka|ger=de|gla=gd|gle=ga|glg=gl|\
        glv=gv|gno=gon|gom=kok|gre=el|grn=gn|gug=gn|guj=gu|gya=gba|hat=ht|hau=ha|hbs=sh|hdn=hai|hea=hmn|heb=he|her=hz|\
        hin=hi|hmo=ho|hrv=hr|hun=hu|hye=hy|ibo=ig|ice=is|ido=io|iii=ii|ike=iu|iku=iu|ile=ie|in=id|ina=ia|ind=id|\
        ipk=ik|isl=is|ita=it|iw=he|jav=jv|ji=yi|jpn=ja|jw=jv|kal=kl|kan=kn|kas=ks|kat=ka|kau=kr|kaz=kk|khk=mn|khm=km|\
        kik=ki|kin=rw|kir=ky|kmr=ku|knc=kr|kng=kg|kom=kv|kon=kg|kor=ko|kpv=kv|ktr=dtp|kua=kj|kur=ku|kxl=kru|kzj=dtp|\
        kzt=dtp|lao=lo|lat=la|lav=lv|lim=li|lin=ln|lit=lt|ltz=lb|lub=lu|lug=lg|lvs=lv|mac=mk|mah=mh|mal=ml|mao=mi|\
        mar=mr|may=ms|mhr=chm|mkd=mk|mlg=mg|mlt=mt|mnk=man|mo=ro|mol=ro|mon=mn|mri=mi|msa=ms|mup=raj|mya=my|nau=na|\
        nav=nv|nbl=nr|nde=nd|ndo=ng|nep=ne|nld=nl|nno=nn|nob=nb|nor=no|npi=ne|nya=ny|oci=oc|ojg=oj|oji=oj|ori=or|\
        orm=om|ory=or|oss=os|pan=pa|pbu=ps|per=fa|pes=fa|pli=pi|plt=mg|pmk=crr|pnb=lah|pol=pl|por=pt|prp=gu|pus=ps|\
        que=qu|quz=qu|rmy=rom|roh=rm|ron=ro|rum=ro|run=rn|rus=ru|sag=sg|san=sa|scc=sr|scr=hr|sin=si|slk=sk|slo=sk|\
        slv=sl|smd=kmb|sme=se|smo=sm|sna=sn|snb=iba|snd=sd|som=so|sot=st|spa=es|spy=kln|sqi=sq|src=sc|srd=sc|srp=sr|\
        ssw=ss|sun=su|swa=sw|swe=sv|swh=sw|tah=ty|tam=ta|tat=tt|tdu=dtp|tel=te|tgk=tg|tgl=fil|tha=th|tib=bo|tir=ti|\
        ton=to|tsn=tn|tso=ts|ttq=tmh|tuk=tk|tur=tr|twi=ak|uig=ug|ukr=uk|umu=del|urd=ur|uzb=uz|uzn=uz|ven=ve|vie=vi|\
        vol=vo|wel=cy|wln=wa|wol=wo|xho=xh|xpe=kpe|xsl=den|ydd=yi|yid=yi|yor=yo|zai=zap|zha=za|zho=zh|zsm=ms|zul=zu|\
        zyb=za
        """)

    /// Language tags by the names of the languages in lower case.
    static let languageTags = StaticTable(
        """
        abkhazian=ab|acehnese=ace|acoli=ach|adangme=ada|adyghe=ady|afar=aa|afrihili=afh|afrikaans=af|aghem=agq|\
        ainu=ain|akan=ak|akkadian=akk|akoose=bss|alabama=akz|albanian=sq|aleut=ale|algerian arabic=arq|\
        american english=en-US|american sign language=ase|amharic=am|ancient egyptian=egy|ancient greek=grc|\
        angika=anp|anglo-saxon=ang|anii=blo|ao naga=njo|arabic=ar|aragonese=an|aragonés=an|aramaic=arc|araona=aro|\
        arapaho=arp|arawak=arw|armenian=hy|aromanian=rup|arpitan=frp|assamese=as|asturian=ast|asu=asa|atikamekw=atj|\
        atsam=cch|avaric=av|avañe’ẽ=gn|avestan=ae|awadhi=awa|aymara=ay|azerbaijani=az|azərbaycan=az|badaga=bfq|\
        bafia=ksf|bafut=bfd|bakhtiari=bqi|balinese=ban|baluchi=bal|bamanakan=bm|bambara=bm|bamun=bax|bangla=bn|\
        banjar=bjn|basa sunda=su|basaa=bas|bashkir=ba|basque=eu|batak toba=bbc|bavarian=bar|beja=bej|belarusian=be|\
        bemba=bem|bena=bez|bengali=bn|betawi=bew|bhojpuri=bho|bikol=bik|bini=bin|bishnupriya=bpy|bislama=bi|blin=byn|\
        blissymbols=zbl|bodo=brx|bokmål=nb|bosanski=bs|bosnian=bs|brahui=brh|braj=bra|brazilian=pt-BR|\
        brazilian portuguese=pt-BR|breton=br|brezhoneg=br|british english=en-GB|buginese=bug|bulgarian=bg|bulu=bum|\
        buriat=bua|burmese=my|caddo=cad|cajun french=frc|canadian english=en-CA|canadian french=fr-CA|cantonese=yue|\
        capiznon=cps|carib=car|carolina algonquian=crr|castilian=es|catalan=ca|català=ca|cayuga=cay|cebuano=ceb|\
        central atlas tamazight=tzm|central dusun=dtp|central kurdish=ckb|central ojibwa=ojc|central yupik=esu|\
        chadian arabic=shu|chagatai=chg|chakma=ccp|chamorro=ch|chechen=ce|cherokee=chr|cheyenne=chy|chibcha=chb|\
        chickasaw=cic|chiga=cgg|chilcotin=clc|chimborazo highland quichua=qug|chinese=zh|chinook jargon=chn|\
        chipewyan=chp|chishona=sn|choctaw=cho|church slavic=cu|chuukese=chk|chuvash=cv|classical greek=grc|\
        classical newari=nwc|classical syriac=syc|colognian=ksh|comorian=swb|coptic=cop|cornish=kw|corsican=co|\
        corsu=co|cree=cr|crimean tatar=crh|croatian=hr|cymraeg=cy|czech=cs|dakota=dak|danish=da|dansk=da|dargwa=dar|\
        davvisámegiella=se|dazaga=dzg|delaware=del|deutsch=de|dinka=din|diné bizaad=nv|divehi=dv|dogri=doi|dogrib=dgr|\
        duala=dua|dutch=nl|dyula=dyu|dzongkha=dz|eastern frisian=frs|eesti=et|efik=efi|egyptian arabic=arz|ekajuk=eka|\
        elamite=elx|embu=ebu|emilian=egl|english=en|erzya=myv|español=es|esperanto=eo|estonian=et|\
        european portuguese=pt-PT|european spanish=es-ES|euskara=eu|ewe=ee|ewondo=ewo|extremaduran=ext|eʋegbe=ee|\
        fang=fan|fanti=fat|faroese=fo|farsi=fa|fiji hindi=hif|fijian=fj|filipino=fil|finnish=fi|flemish=nl|fon=fon|\
        frafra=gur|français=fr|french=fr|frisian=fy|friulian=fur|frysk=fy|fula=ff|føroyskt=fo|ga=gaa|gaeilge=ga|\
        gaelg=gv|gaelic=gd|gagauz=gag|galego=gl|galician=gl|gan chinese=gan|ganda=lg|gayo=gay|gbaya=gba|geez=gez|\
        georgian=ka|german=de|gheg albanian=aln|ghomala=bbj|gikuyu=ki|gilaki=glk|gilbertese=gil|gondi=gon|\
        gorontalo=gor|gothic=got|grebo=grb|greek=el|greenlandic=kl|guarani=gn|gujarati=gu|gusii=guz|gwichʼin=gwi|\
        gàidhlig=gd|haida=hai|haitian=ht|haitian creole=ht|hakka chinese=hak|halkomelem=hur|haryanvi=bgc|hausa=ha|\
        hawaiian=haw|hebrew=he|herero=hz|hiligaynon=hil|hindi=hi|hiri motu=ho|hittite=hit|hmong=hmn|hmong njua=hnj|\
        hrvatski=hr|hungarian=hu|hupa=hup|iban=iba|ibibio=ibb|icelandic=is|ido=io|igbo=ig|ikinyarwanda=rw|ikirundi=rn|\
        iloko=ilo|inari sami=smn|indonesia=id|indonesian=id|ingrian=izh|ingush=inh|innu-aimun=moe|interlingua=ia|\
        interlingue=ie|inuktitut=iu|inupiaq=ik|irish=ga|irish gaelic=ga|isindebele=nd|isixhosa=xh|isizulu=zu|\
        italian=it|italiano=it|jamaican creole english=jam|japanese=ja|javanese=jv|jawa=jv|jju=kaj|jola-fonyi=dyo|\
        judeo-arabic=jrb|judeo-persian=jpr|jutish=jut|kabardian=kbd|kabuverdianu=kea|kabyle=kab|kachin=kac|\
        kaingang=kgp|kako=kkj|kalaallisut=kl|kalenjin=kln|kalmyk=xal|kamba=kam|kanembu=kbl|kangri=xnr|kannada=kn|\
        kanuri=kr|kara-kalpak=kaa|karachay-balkar=krc|karelian=krl|kashmiri=ks|kashubian=csb|kawi=kaw|kazakh=kk|\
        kenyang=ken|kernewek=kw|khasi=kha|khmer=km|khotanese=kho|khowar=khw|kikuyu=ki|kimbundu=kmb|kinaray-a=krj|\
        kinyarwanda=rw|kirghiz=ky|kirmanjki=kiu|kiswahili=sw|klingon=tlh|kom=bkm|komi=kv|komi-permyak=koi|kongo=kg|\
        konkani=kok|korean=ko|koro=kfo|kosraean=kos|kotava=avk|koyra chiini=khq|koyraboro senni=ses|kpelle=kpe|\
        kreyòl ayisyen=ht|krio=kri|kuanyama=kj|kumyk=kum|kurdish=ku|kurdî (kurmancî)=ku|kurukh=kru|kutenai=kut|\
        kuvi=kxv|kwakʼwala=kwk|kwasio=nmg|kyrgyz=ky|kʼicheʼ=quc|ladino=lad|lakota=lkt|lamba=lam|langi=lag|lao=lo|\
        latgalian=ltg|latin=la|latin american spanish=es-419|latina=la|latvian=lv|latviešu=lv|laz=lzz|\
        lea fakatonga=to|letzeburgesch=lb|lezghian=lez|lietuvių=lt|ligurian=lij|lillooet=lil|limburgish=li|lingala=ln|\
        lingua franca nova=lfn|lingála=ln|literary chinese=lzh|lithuanian=lt|livonian=liv|lojban=jbo|lombard=lmo|\
        louisiana creole=lou|low german=nds|low saxon=nds-NL|lower silesian=sli|lower sorbian=dsb|lozi=loz|\
        luba-katanga=lu|luba-lulua=lua|luganda=lg|luiseno=lui|lule sami=smj|lunda=lun|luo=luo|luxembourgish=lb|\
        luyia=luy|lëtzebuergesch=lb|maba=mde|macedonian=mk|machame=jmc|madurese=mad|mafa=maf|magahi=mag|magyar=hu|\
        main-franconian=vmf|maithili=mai|makasar=mak|makhuwa=vmw|makhuwa-meetto=mgh|makonde=kde|malagasy=mg|malay=ms|\
        malayalam=ml|maliseet-passamaquoddy=pqm|maltese=mt|malti=mt|manchu=mnc|mandar=mdr|mandarin=zh|\
        mandarin chinese=zh|mandingo=man|manipuri=mni|manx=gv|mapuche=arn|marathi=mr|mari=chm|marshallese=mh|\
        marwari=mwr|masai=mas|mazanderani=mzn|medumba=byv|melayu=ms|mende=men|mentawai=mwv|meru=mer|metaʼ=mgo|\
        mexican spanish=es-MX|mi'kmaw=mic|michif=crg|middle dutch=dum|middle english=enm|middle french=frm|\
        middle high german=gmh|middle irish=mga|min nan chinese=nan|minangkabau=min|mingrelian=xmf|mirandese=mwl|\
        mizo=lus|modern greek=el|modern hebrew=he|modern standard arabic=ar|mohawk=moh|moksha=mdf|moldavian=ro|\
        moldovan=ro|mongo=lol|mongolian=mn|moose cree=crm|morisyen=mfe|moroccan arabic=ary|mossi=mos|multilingual=mul|\
        multiple=mul|multiple languages=mul|mundang=mua|muscogee=mus|muslim tat=ttt|myene=mye|māori=mi|n'ko=nqo|\
        najdi arabic=ars|nama=naq|nauru=na|navajo=nv|ndonga=ng|neapolitan=nap|nederlands=nl|nepali=ne|newari=new|\
        ngambay=sba|ngiemboon=nnh|ngomba=jgo|nheengatu=yrl|nias=nia|nigerian pidgin=pcm|niuean=niu|\
        no linguistic content=zxx|nogai=nog|norsk=no|norsk bokmål=nb|norsk nynorsk=nn|north ndebele=nd|\
        northern east cree=crl|northern frisian=frr|northern luri=lrc|northern sami=se|northern sotho=nso|\
        northern tutchone=ttm|northwestern ojibwa=ojb|norwegian=no|norwegian bokmål=nb|norwegian nynorsk=nn|\
        novial=nov|nuer=nus|nyamwezi=nym|nyanja=ny|nyankole=nyn|nyasa tonga=tog|nynorsk=nn|nyoro=nyo|nzima=nzi|\
        obolo=ann|occitan=oc|odia=or|oji-cree=ojs|ojibwa=oj|okanagan=oka|old english=ang|old french=fro|\
        old high german=goh|old irish=sga|old norse=non|old persian=peo|old provençal=pro|oriya=or|oromo=om|oromoo=om|\
        osage=osa|ossetic=os|ottoman turkish=ota|o‘zbek=uz|pahlavi=pal|palatine german=pfl|palauan=pau|pali=pi|\
        pampanga=pam|pangasinan=pag|panjabi=pa|papiamento=pap|pashto=ps|pennsylvania german=pdc|persian=fa|\
        phoenician=phn|picard=pcd|piedmontese=pms|pijin=pis|plains cree=crk|plautdietsch=pdt|pohnpeian=pon|polish=pl|\
        polski=pl|pontic=pnt|portuguese=pt|português=pt|prussian=prg|pulaar=ff|punjabi=pa|pushto=ps|qafar=aa|\
        quechua=qu|rajasthani=raj|rapanui=rap|rarotongan=rar|riffian=rif|rohingya=rhg|romagnol=rgn|romanian=ro|\
        romansh=rm|romany=rom|rombo=rof|română=ro|rotuman=rtm|roviana=rug|rumantsch=rm|runasimi=qu|rundi=rn|\
        russian=ru|rusyn=rue|rwa=rwk|saamia=lsm|saho=ssy|samaritan aramaic=sam|samburu=saq|samoan=sm|samogitian=sgs|\
        sandawe=sad|sango=sg|sangu=sbp|sanskrit=sa|santali=sat|sardinian=sc|sardu=sc|sasak=sas|\
        sassarese sardinian=sdc|saterland frisian=stq|saurashtra=saz|scots=sco|scottish gaelic=gd|selayar=sly|\
        selkup=sel|sena=seh|seneca=see|serbian=sr|serbo-croatian=sh|serer=srr|seri=sei|seselwa creole french=crs|\
        sesotho=st|setswana=tn|shambala=ksb|shan=shn|shona=sn|shqip=sq|sichuan yi=ii|sicilian=scn|sidamo=sid|\
        siksiká=bla|silesian=szl|simplified=zh-Hans|simplified chinese=zh-Hans|sindhi=sd|sinhala=si|sinhalese=si|\
        siswati=ss|skolt sami=sms|slave=den|slovak=sk|slovene=sl|slovenian=sl|slovenčina=sk|slovenščina=sl|soga=xog|\
        sogdien=sog|somali=so|soninke=snk|soomaali=so|south ndebele=nr|southern altai=alt|southern east cree=crj|\
        southern haida=hax|southern kurdish=sdh|southern lushootseed=slh|southern sami=sma|southern sotho=st|\
        southern tutchone=tce|spanish=es|sranan tongo=srn|standard moroccan tamazight=zgh|straits salish=str|\
        sukuma=suk|sumerian=sux|sundanese=su|suomi=fi|susu=sus|svenska=sv|swahili=sw|swampy cree=csw|swati=ss|\
        swedish=sv|swiss french=fr-CH|swiss german=gsw|syriac=syr|sängö=sg|tachelhit=shi|tagalog=tl|tagish=tgx|\
        tahitian=ty|tahltan=tht|tai dam=blt|taita=dav|tajik=tg|talysh=tly|tamashek=tmh|tamil=ta|taroko=trv|\
        tasawaq=twq|tatar=tt|telugu=te|tereno=ter|teso=teo|tetum=tet|thai=th|tibetan=bo|tigre=tig|tigrinya=ti|\
        timne=tem|tiv=tiv|tiếng việt=vi|tlingit=tli|tok pisin=tpi|tokelau=tkl|toki pona=tok|tongan=to|\
        tornedalen finnish=fit|torwali=trw|traditional=zh-Hant|traditional chinese=zh-Hant|tsakhur=tkr|tsakonian=tsd|\
        tshiluba=lu|tshivenḓa=ve|tsimshian=tsi|tsonga=ts|tswana=tn|tulu=tcy|tumbuka=tum|tunisian arabic=aeb|\
        turkish=tr|turkmen=tk|turoyo=tru|tuvalu=tvl|tuvinian=tyv|twi=tw|tyap=kcg|türkmen dili=tk|türkçe=tr|udmurt=udm|\
        ugaritic=uga|uighur=ug|ukrainian=uk|umbundu=umb|undetermined=und|unknown language=und|upper sorbian=hsb|\
        urdu=ur|uyghur=ug|uzbek=uz|vahcuengh=za|vai=vai|valencian=ca|venda=ve|venetian=vec|veps=vep|vietnamese=vi|\
        volapük=vo|votic=vot|vunjo=vun|võro=vro|walloon=wa|walon=wa|walser=wae|waray=war|warlpiri=wbp|washo=was|\
        wayuu=guc|welsh=cy|west flemish=vls|western balochi=bgn|western canadian inuktitut=ikt|western frisian=fy|\
        western mari=mrj|western ojibwa=ojw|western panjabi=lah|wolaytta=wal|wolof=wo|wu chinese=wuu|xhosa=xh|\
        xiang chinese=hsn|xitsonga=ts|yakut=sah|yangben=yav|yao=yao|yapese=yap|yemba=ybb|yiddish=yi|yoruba=yo|\
        zapotec=zap|zarma=dje|zaza=zza|zeelandic=zea|zenaga=zen|zhuang=za|zoroastrian dari=gbz|zulu=zu|zuni=zun|\
        èdè yorùbá=yo|íslenska=is|čeština=cs|ελληνικά=el|аԥсшәа=ab|башҡорт теле=ba|беларуская=be|български=bg|ирон=os|\
        кыргызча=ky|македонски=mk|монгол=mn|нохчийн=ce|русский=ru|српски=sr|татар=tt|тоҷикӣ=tg|українська=uk|\
        церковнослове́нскїй=cu|чӑваш=cv|қазақ тілі=kk|հայերեն=hy|ייִדיש=yi|עברית=he|ئۇيغۇرچە=ug|اردو=ur|العربية=ar|\
        سنڌي=sd|فارسی=fa|پښتو=ps|کٲشُر=ks|ދިވެހިބަސް=dv|नेपाली=ne|मराठी=mr|संस्कृत भाषा=sa|हिन्दी=hi|অসমীয়া=as|\
        বাংলা=bn|ਪੰਜਾਬੀ=pa|ગુજરાતી=gu|ଓଡ଼ିଆ=or|தமிழ்=ta|తెలుగు=te|ಕನ್ನಡ=kn|മലയാളം=ml|සිංහල=si|ไทย=th|ລາວ=lo|\
        བོད་སྐད་=bo|རྫོང་ཁ=dz|မြန်မာ=my|ქართული=ka|ትግርኛ=ti|አማርኛ=am|ᐃᓄᒃᑎᑐᑦ=iu|ខ្មែរ=km|中文=zh|日本語=ja|ꆈꌠꉙ=ii|한국어=ko
        """)

    /// English names of scripts by their codes.
    static let scripts = StaticTable(
        """
        Adlm=Adlam|Afak=Afaka|Aghb=Caucasian Albanian|Ahom=Ahom|Arab=Arabic|Aran=Nastaliq|Armi=Imperial Aramaic|\
        Armn=Armenian|Avst=Avestan|Bali=Balinese|Bamu=Bamum|Bass=Bassa Vah|Batk=Batak|Beng=Bangla|Bhks=Bhaiksuki|\
        Blis=Blissymbols|Bopo=Bopomofo|Brah=Brahmi|Brai=Braille|Bugi=Buginese|Buhd=Buhid|Cakm=Chakma|\
        Cans=Unified Canadian Aboriginal Syllabics|Cari=Carian|Cham=Cham|Cher=Cherokee|Chrs=Chorasmian|Cirt=Cirth|\
        Copt=Coptic|Cpmn=Cypro-Minoan|Cprt=Cypriot|Cyrl=Cyrillic|Cyrs=Old Church Slavonic Cyrillic|Deva=Devanagari|\
        Diak=Dives Akuru|Dogr=Dogra|Dsrt=Deseret|Dupl=Duployan shorthand|Egyd=Egyptian demotic|Egyh=Egyptian hieratic|\
        Egyp=Egyptian hieroglyphs|Elba=Elbasan|Elym=Elymaic|Ethi=Ethiopic|Gara=Garay|Geok=Georgian Khutsuri|\
        Geor=Georgian|Glag=Glagolitic|Gong=Gunjala Gondi|Gonm=Masaram Gondi|Goth=Gothic|Gran=Grantha|Grek=Greek|\
        Gujr=Gujarati|Gukh=Gurung Khema|Guru=Gurmukhi|Hanb=Han with Bopomofo|Hang=Hangul|Hani=Han|Hano=Hanunoo|\
        Hans=Simplified|Hant=Traditional|Hatr=Hatran|Hebr=Hebrew|Hira=Hiragana|Hluw=Anatolian Hieroglyphs|\
        Hmng=Pahawh Hmong|Hmnp=Nyiakeng Puachue Hmong|Hrkt=Japanese syllabaries|Hung=Old Hungarian|Inds=Indus|\
        Ital=Old Italic|Jamo=Jamo|Java=Javanese|Jpan=Japanese|Jurc=Jurchen|Kali=Kayah Li|Kana=Katakana|Kawi=Kawi|\
        Khar=Kharoshthi|Khmr=Khmer|Khoj=Khojki|Kits=Khitan small script|Knda=Kannada|Kore=Korean|Kpel=Kpelle|\
        Krai=Kirat Rai|Kthi=Kaithi|Lana=Lanna|Laoo=Lao|Latf=Fraktur Latin|Latg=Gaelic Latin|Latn=Latin|Lepc=Lepcha|\
        Limb=Limbu|Lina=Linear A|Linb=Linear B|Lisu=Fraser|Loma=Loma|Lyci=Lycian|Lydi=Lydian|Mahj=Mahajani|\
        Maka=Makasar|Mand=Mandaean|Mani=Manichaean|Marc=Marchen|Maya=Mayan hieroglyphs|Medf=Medefaidrin|Mend=Mende|\
        Merc=Meroitic Cursive|Mero=Meroitic|Mlym=Malayalam|Modi=Modi|Mong=Mongolian|Moon=Moon|Mroo=Mro|\
        Mtei=Meitei Mayek|Mult=Multani|Mymr=Myanmar|Nagm=Nag Mundari|Nand=Nandinagari|Narb=Old North Arabian|\
        Nbat=Nabataean|Newa=Newa|Nkgb=Naxi Geba|Nkoo=N'Ko|Nshu=Nüshu|Ogam=Ogham|Olck=Ol Chiki|Onao=Ol Onal|\
        Orkh=Orkhon|Orya=Odia|Osge=Osage|Osma=Osmanya|Ougr=Old Uyghur|Palm=Palmyrene|Pauc=Pau Cin Hau|Perm=Old Permic|\
        Phag=Phags-pa|Phli=Inscriptional Pahlavi|Phlp=Psalter Pahlavi|Phlv=Book Pahlavi|Phnx=Phoenician|\
        Plrd=Pollard Phonetic|Prti=Inscriptional Parthian|Qaag=Zawgyi|Rjng=Rejang|Rohg=Hanifi|Roro=Rongorongo|\
        Runr=Runic|Samr=Samaritan|Sara=Sarati|Sarb=Old South Arabian|Saur=Saurashtra|Sgnw=SignWriting|Shaw=Shavian|\
        Shrd=Sharada|Sidd=Siddham|Sind=Khudawadi|Sinh=Sinhala|Sogd=Sogdian|Sogo=Old Sogdian|Sora=Sora Sompeng|\
        Soyo=Soyombo|Sund=Sundanese|Sunu=Sunuwar|Sylo=Syloti Nagri|Syrc=Syriac|Syre=Estrangelo Syriac|\
        Syrj=Western Syriac|Syrn=Eastern Syriac|Tagb=Tagbanwa|Takr=Takri|Tale=Tai Le|Talu=New Tai Lue|Taml=Tamil|\
        Tang=Tangut|Tavt=Tai Viet|Telu=Telugu|Teng=Tengwar|Tfng=Tifinagh|Tglg=Tagalog|Thaa=Thaana|Thai=Thai|\
        Tibt=Tibetan|Tirh=Tirhuta|Tnsa=Tangsa|Todr=Todhri|Toto=Toto|Tutg=Tulu-Tigalari|Ugar=Ugaritic|Vaii=Vai|\
        Visp=Visible Speech|Vith=Vithkuqi|Wara=Varang Kshiti|Wcho=Wancho|Wole=Woleai|Xpeo=Old Persian|\
        Xsux=Sumero-Akkadian Cuneiform|Yezi=Yezidi|Yiii=Yi|Zanb=Zanabazar Square|Zinh=Inherited|\
        Zmth=Mathematical Notation|Zsye=Emoji|Zsym=Symbols|Zxxx=Unwritten|Zyyy=Common|Zzzz=Unknown Script
        """)

    /// English names of regions by their codes.
    static let regions = StaticTable(
        """
        001=world|002=Africa|003=North America|005=South America|009=Oceania|011=Western Africa|013=Central America|\
        014=Eastern Africa|015=Northern Africa|017=Middle Africa|018=Southern Africa|019=Americas|\
        021=Northern America|029=Caribbean|030=Eastern Asia|034=Southern Asia|035=Southeast Asia|039=Southern Europe|\
        053=Australasia|054=Melanesia|057=Micronesian Region|061=Polynesia|142=Asia|143=Central Asia|145=Western Asia|\
        150=Europe|151=Eastern Europe|154=Northern Europe|155=Western Europe|202=Sub-Saharan Africa|419=Latin America|\
        AC=Ascension Island|AD=Andorra|AE=United Arab Emirates|AF=Afghanistan|AG=Antigua & Barbuda|AI=Anguilla|\
        AL=Albania|AM=Armenia|AO=Angola|AQ=Antarctica|AR=Argentina|AS=American Samoa|AT=Austria|AU=Australia|AW=Aruba|\
        AX=Åland Islands|AZ=Azerbaijan|BA=Bosnia & Herzegovina|BB=Barbados|BD=Bangladesh|BE=Belgium|BF=Burkina Faso|\
        BG=Bulgaria|BH=Bahrain|BI=Burundi|BJ=Benin|BL=St. Barthélemy|BM=Bermuda|BN=Brunei|BO=Bolivia|\
        BQ=Caribbean Netherlands|BR=Brazil|BS=Bahamas|BT=Bhutan|BV=Bouvet Island|BW=Botswana|BY=Belarus|BZ=Belize|\
        CA=Canada|CC=Cocos (Keeling) Islands|CD=Congo - Kinshasa|CF=Central African Republic|CG=Congo - Brazzaville|\
        CH=Switzerland|CI=Côte d'Ivoire|CK=Cook Islands|CL=Chile|CM=Cameroon|CN=China|CO=Colombia|\
        CP=Clipperton Island|CQ=Sark|CR=Costa Rica|CU=Cuba|CV=Cape Verde|CW=Curaçao|CX=Christmas Island|CY=Cyprus|\
        CZ=Czechia|DE=Germany|DG=Diego Garcia|DJ=Djibouti|DK=Denmark|DM=Dominica|DO=Dominican Republic|DZ=Algeria|\
        EA=Ceuta & Melilla|EC=Ecuador|EE=Estonia|EG=Egypt|EH=Western Sahara|ER=Eritrea|ES=Spain|ET=Ethiopia|\
        EU=European Union|EZ=Eurozone|FI=Finland|FJ=Fiji|FK=Falkland Islands|FM=Micronesia|FO=Faroe Islands|FR=France|\
        GA=Gabon|GB=United Kingdom|GD=Grenada|GE=Georgia|GF=French Guiana|GG=Guernsey|GH=Ghana|GI=Gibraltar|\
        GL=Greenland|GM=Gambia|GN=Guinea|GP=Guadeloupe|GQ=Equatorial Guinea|GR=Greece|\
        GS=South Georgia & South Sandwich Islands|GT=Guatemala|GU=Guam|GW=Guinea-Bissau|GY=Guyana|\
        HK=Hong Kong SAR China|HM=Heard & McDonald Islands|HN=Honduras|HR=Croatia|HT=Haiti|HU=Hungary|\
        IC=Canary Islands|ID=Indonesia|IE=Ireland|IL=Israel|IM=Isle of Man|IN=India|IO=British Indian Ocean Territory|\
        IQ=Iraq|IR=Iran|IS=Iceland|IT=Italy|JE=Jersey|JM=Jamaica|JO=Jordan|JP=Japan|KE=Kenya|KG=Kyrgyzstan|\
        KH=Cambodia|KI=Kiribati|KM=Comoros|KN=St. Kitts & Nevis|KP=North Korea|KR=South Korea|KW=Kuwait|\
        KY=Cayman Islands|KZ=Kazakhstan|LA=Laos|LB=Lebanon|LC=St. Lucia|LI=Liechtenstein|LK=Sri Lanka|LR=Liberia|\
        LS=Lesotho|LT=Lithuania|LU=Luxembourg|LV=Latvia|LY=Libya|MA=Morocco|MC=Monaco|MD=Moldova|ME=Montenegro|\
        MF=St. Martin|MG=Madagascar|MH=Marshall Islands|MK=North Macedonia|ML=Mali|MM=Myanmar (Burma)|MN=Mongolia|\
        MO=Macao SAR China|MP=Northern Mariana Islands|MQ=Martinique|MR=Mauritania|MS=Montserrat|MT=Malta|\
        MU=Mauritius|MV=Maldives|MW=Malawi|MX=Mexico|MY=Malaysia|MZ=Mozambique|NA=Namibia|NC=New Caledonia|NE=Niger|\
        NF=Norfolk Island|NG=Nigeria|NI=Nicaragua|NL=Netherlands|NO=Norway|NP=Nepal|NR=Nauru|NU=Niue|NZ=New Zealand|\
        OM=Oman|PA=Panama|PE=Peru|PF=French Polynesia|PG=Papua New Guinea|PH=Philippines|PK=Pakistan|PL=Poland|\
        PM=St. Pierre & Miquelon|PN=Pitcairn Islands|PR=Puerto Rico|PS=Palestinian Territories|PT=Portugal|PW=Palau|\
        PY=Paraguay|QA=Qatar|QO=Outlying Oceania|RE=Réunion|RO=Romania|RS=Serbia|RU=Russia|RW=Rwanda|SA=Saudi Arabia|\
        SB=Solomon Islands|SC=Seychelles|SD=Sudan|SE=Sweden|SG=Singapore|SH=St. Helena|SI=Slovenia|\
        SJ=Svalbard & Jan Mayen|SK=Slovakia|SL=Sierra Leone|SM=San Marino|SN=Senegal|SO=Somalia|SR=Suriname|\
        SS=South Sudan|ST=São Tomé & Príncipe|SV=El Salvador|SX=Sint Maarten|SY=Syria|SZ=Eswatini|TA=Tristan da Cunha|\
        TC=Turks & Caicos Islands|TD=Chad|TF=French Southern Territories|TG=Togo|TH=Thailand|TJ=Tajikistan|TK=Tokelau|\
        TL=Timor-Leste|TM=Turkmenistan|TN=Tunisia|TO=Tonga|TR=Türkiye|TT=Trinidad & Tobago|TV=Tuvalu|TW=Taiwan|\
        TZ=Tanzania|UA=Ukraine|UG=Uganda|UM=U.S. Outlying Islands|UN=United Nations|US=United States|UY=Uruguay|\
        UZ=Uzbekistan|VA=Vatican City|VC=St. Vincent & Grenadines|VE=Venezuela|VG=British Virgin Islands|\
        VI=U.S. Virgin Islands|VN=Vietnam|VU=Vanuatu|WF=Wallis & Futuna|WS=Samoa|XA=Pseudo-Accents|XB=Pseudo-Bidi|\
        XK=Kosovo|YE=Yemen|YT=Mayotte|ZA=South Africa|ZM=Zambia|ZW=Zimbabwe|ZZ=Unknown Region
        """)
}
