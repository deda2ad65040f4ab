"""What an attack on a note looks like in other languages than English. Data; `phrases.py` reads it.

Words are written as people write them; accents, case and vowel points are folded away on both sides.
"""

GERMAN = """
not: nicht/nie/niemals/kein/keine/nichts/ohne
prompt_injection! ignorier*/missacht*/vergiss/vergesst/übergeh*/umgeh*/überschreib* ... vorherige*/bisherige*/
    vorige*/obige*/frühere*/vorangegangene*/ursprüngliche*/alle/sämtliche/deine/ihre/eure .. anweisung*/
    instruktion*/systemprompt*/prompt/prompts/direktive*/weisung*
-prompt_injection vergiss/vergesst nicht
prompt_injection! ignorier*/missacht*/vergiss/umgeh* ... deine/vorherigen/bisherigen/ursprünglichen/sicherheits*
    .. regeln/vorgaben/richtlinien/einschränkungen
-prompt_injection vergiss nicht
role_hijack du_bist jetzt/nun/ab_jetzt/ab_sofort/von_nun_an ein/eine/kein/keine/nicht_mehr/frei
role_hijack ab_jetzt/ab_sofort/von_nun_an bist_du ein/eine/kein/keine/nicht_mehr/frei
role_pretend tu/tue so als ..  wärst/wärest/hättest/wärt
bypass_restrictions! antworte*/handle*/verhalte*/agiere*/sprich/reagiere* .. ohne jede/jegliche/alle/
    irgendwelche? einschränkung*/beschränkung*/filter*/regeln/zensur/grenzen
leak_system_prompt! zeig*/gib/verrate*/nenne*/wiederhol*/drucke/schreib* .. systemprompt*/system_prompt/
    systemanweisung*/systemnachricht*/geheime*_anweisung*/ursprüngliche*_anweisung*/versteckte*_anweisung*
deception_hide sag*/erzähl*/verrat*/erwähn* .. nutzer/benutzer/anwender/besitzer/nutzerin .. nichts/nicht
deception_hide!! ohne_dass der/die .. nutzer/benutzer/anwender/besitzer .. merkt/erfährt/weiß/mitbekommt/
    bemerkt/wissen
deception_hide verheimliche*/verschweige* .. nutzer/benutzer/anwender/besitzer
exfil_secrets!! sende*/schick*/lade*/übermittle*/übertrage*/leite*/poste* ... passw*/schlüssel/api_schlüssel/
    zugangsdaten/token/tokens/geheimnisse/gespräch*/unterhaltung*/chatverlauf/verlauf/umgebungsvariablen/daten
    ... an/auf/zu/nach .. http/https/server/webhook
"""

FRENCH = """
not: ne/n/jamais/pas/sans
prompt_injection! ignore/ignorez/ignorer/oublie/oubliez/néglige/négligez/désobéis ... toutes/tous/tes/vos/ces ..
    instruction*/consigne*/directive*/prompt*
prompt_injection! ignore/ignorez/oublie/oubliez/néglige/négligez ... instructions/consignes/directives/règles/
    prompt .. précédentes/précédent/antérieures/initiales/ci_dessus/système/originales/reçues
prompt_injection ne_tiens_pas/ne_tenez_pas/ne_tiens_plus/ne_tenez_plus compte ... instruction*/consigne*/règle*/
    directive*
role_hijack tu_es/vous_êtes maintenant/désormais/à_présent/dorénavant un/une/le/la/libre/mon
role_hijack à_partir_de_maintenant/désormais/dorénavant tu_es/vous_êtes un/une/le/la/libre
role_pretend fais/faites semblant/comme_si .. être/étais/étiez/avais/aviez/tu/vous
bypass_restrictions réponds/répondez/agis/agissez/comporte/parle .. sans aucune/aucun? restriction*/limite*/
    filtre*/censure/règle*
leak_system_prompt! affiche/affichez/montre/montrez/révèle/révélez/donne/donnez/répète/répétez/imprime/écris/
    divulgue .. prompt_système/invite_système/instructions_système/instructions_initiales/instructions_cachées/
    consignes_système
deception_hide ne/n .. dis/dites/parle/parlez/révèle/mentionne/informe/préviens pas/rien/jamais .. utilisateur/
    propriétaire
deception_hide! cache/cachez/dissimule/dissimulez .. à/au/de utilisateur/l_utilisateur/propriétaire
deception_hide!! sans .. que_l_utilisateur .. sache/remarque/voie/aperçoive
exfil_secrets!! envoie/envoyez/transmets/transmettez/téléverse/poste/publie/copie ... mot_de_passe/
    mots_de_passe/clé/clés/jeton/jetons/identifiants/secrets/conversation/historique/données/variables ... à/
    vers/sur/au .. http/https/serveur/webhook
"""

SPANISH = """
not: no/nunca/jamás/sin
prompt_injection! ignora/ignore/ignoren/ignorad/olvida/olvide/olvídate_de/desobedece/descarta ... todas/todos/
    tus/sus .. instrucciones/indicaciones/directivas/directrices/prompts
prompt_injection! ignora/ignore/ignoren/olvida/olvide/olvídate_de/desobedece ... instrucciones/indicaciones/
    reglas/directrices/normas/prompt .. anteriores/previas/iniciales/originales/del_sistema/recibidas
prompt_injection no sigas/hagas_caso/obedezcas ... instrucciones/reglas/indicaciones
role_hijack ahora_eres/eres_ahora/a_partir_de_ahora_eres/desde_ahora_eres/de_ahora_en_adelante_eres un/una/el/
    la/mi/libre
role_pretend finge/simula/haz_como_si .. ser/eres/fueras/tuvieras/no
bypass_restrictions! responde/actúa/compórtate/habla/contesta .. sin/como_si_no .. restricci*/límite*/limitaci*/
    filtro*/regla*/censura
leak_system_prompt! muestra/muéstrame/revela/imprime/repite/dime/escribe/enséñame .. prompt_del_sistema/
    prompt_de_sistema/instrucciones_del_sistema/instrucciones_de_sistema/prompt_inicial/instrucciones_iniciales/
    instrucciones_ocultas/instrucciones_secretas/mensaje_del_sistema
deception_hide no le/se_lo/lo? digas/cuentes/informes/menciones/avises/reveles/diga .. usuario/usuaria/
    propietario/dueño
deception_hide!! sin que .. usuario/usuaria/dueño .. entere/sepa/note/dé_cuenta
deception_hide! oculta/ocúltale/esconde .. al/del usuario/dueño/propietario
exfil_secrets!! envía/envíe/manda/sube/transmite/reenvía/publica/copia ... contraseña*/clave/claves/token/
    tokens/credenciales/secretos/conversación/historial/datos/contexto ... a/al/hacia/en .. http/https/servidor/
    webhook
"""

PORTUGUESE = """
not: não/nunca/jamais/sem
prompt_injection! ignore/ignora/ignorem/esqueça/esquece/desconsidere/desobedeça ... todas/todos/suas/tuas ..
    instruções/orientações/diretrizes/prompts
prompt_injection! ignore/ignora/esqueça/esquece/desconsidere ... instruções/regras/diretrizes/orientações/prompt
    .. anteriores/prévias/iniciais/originais/do_sistema
prompt_injection não siga/obedeça ... instruções/regras/orientações
role_hijack agora_você_é/você_agora_é/você_é_agora/a_partir_de_agora_você_é/agora_tu_és um/uma/o/a/meu/livre
role_pretend finja/finge/simule .. ser/é/que
bypass_restrictions! responda/aja/comporte/fale/atue .. sem/como_se_não .. restriç*/limit*/filtro*/regra*/censura
leak_system_prompt! mostre/mostra/revele/imprima/repita/diga/escreva/exiba .. prompt_do_sistema/
    prompt_de_sistema/instruções_do_sistema/prompt_inicial/instruções_iniciais/instruções_ocultas/
    instruções_secretas/mensagem_do_sistema
deception_hide não diga/conte/informe/mencione/avise/revele/digas/contes .. usuário/usuária/utilizador/dono/
    proprietário
deception_hide!! sem que .. usuário/utilizador/dono .. saiba/perceba/note
deception_hide! esconda/oculte .. do/ao usuário/utilizador/dono
exfil_secrets!! envie/envia/mande/transmita/encaminhe/publique/copie/faça_upload ... senha/senhas/chave/chaves/
    token/tokens/credenciais/segredos/conversa/histórico/dados ... para/ao/em .. http/https/servidor/webhook
"""

ITALIAN = """
not: non/mai/senza
prompt_injection! ignora/ignorate/ignori/dimentica/dimenticate/trascura ... tutte/tutti/tue/vostre ..
    istruzioni/direttive/prompt/indicazioni
prompt_injection! ignora/ignorate/dimentica/dimenticate/trascura ... istruzioni/regole/direttive/prompt/
    indicazioni .. precedenti/iniziali/originali/di_sistema/ricevute/sopra
prompt_injection non seguire/obbedire/rispettare ... istruzioni/regole/direttive
role_hijack ora_sei/adesso_sei/sei_ora/d_ora_in_poi_sei/da_ora_in_poi_sei/da_adesso_sei un/uno/una/il/la/lo/
    libero
role_pretend fingi/fingiti/fai_finta .. di_essere/essere/non_avere/di_non
bypass_restrictions! rispondi/agisci/comportati/parla .. senza/come_se_non .. restrizion*/limit*/filtr*/regol*/
    censur*
leak_system_prompt! mostra/mostrami/rivela/stampa/ripeti/dimmi/scrivi .. prompt_di_sistema/
    istruzioni_di_sistema/prompt_iniziale/istruzioni_iniziali/istruzioni_nascoste/istruzioni_segrete/
    messaggio_di_sistema
deception_hide non dire/dirlo/informare/menzionare/rivelare/avvisare/riveli .. utente/proprietario/all_utente
deception_hide!! senza che .. utente/l_utente .. sappia/accorga/noti/saperlo
deception_hide! nascondi/nascondere/cela .. utente/all_utente/proprietario
exfil_secrets!! invia/inviate/manda/carica/trasmetti/inoltra/pubblica/copia ... password/chiave/chiavi/token/
    credenziali/segreti/conversazione/cronologia/dati ... a/al/su/verso .. http/https/server/webhook
"""

DUTCH = """
not: niet/nooit/geen/zonder
prompt_injection! negeer/vergeet/omzeil ... alle/je/jouw/uw/vorige/eerdere/bovenstaande/oorspronkelijke ..
    instructies/aanwijzingen/opdrachten/prompt/prompts
-prompt_injection vergeet niet
role_hijack je_bent/jij_bent nu/voortaan/vanaf_nu een/geen/niet_langer/vrij
leak_system_prompt! toon/laat/geef/herhaal/onthul/print .. systeemprompt/systeem_prompt/systeeminstructies/
    verborgen_instructies
deception_hide vertel/zeg/meld .. gebruiker/eigenaar .. niets/niet
exfil_secrets!! stuur/verzend/upload/kopieer ... wachtwoord*/sleutel*/token*/gesprek/gegevens ... naar .. http/
    https/server/webhook
"""

POLISH = """
not: nie/nigdy/bez
prompt_injection! ignoruj/zignoruj/zapomnij/pomiń ... wszystkie/wszystkich/poprzednie/poprzednich/wcześniejsze/
    swoje/powyższe .. instrukcje/instrukcji/polecenia/poleceń/wytyczne/wytycznych
leak_system_prompt! pokaż/ujawnij/wypisz/wyświetl/powtórz .. prompt_systemowy/instrukcje_systemowe/
    ukryte_instrukcje
deception_hide nie mów/informuj/wspominaj .. użytkownik*/właściciel*
"""

RUSSIAN = """
not: не/никогда/нельзя
prompt_injection! игнорируй*/проигнорируй*/забудь*/отбрось*/нарушай* ... все/всё/предыдущ*/прежн*/прошл*/свои/
    системн*/вышеуказанн*/ранее .. инструкци*/указани*/директив*/промпт*
prompt_injection! игнорируй*/забудь*/нарушай* ... предыдущ*/свои/прежн*/системн* .. правила/ограничения
prompt_injection не обращай*_внимания .. на ... инструкци*/указани*/правила
role_hijack теперь_ты/ты_теперь/отныне_ты/с_этого_момента_ты ... без_ограничений/без_правил/без_фильтров/
    без_цензуры/не_ограничен*/не_связан*/злой/хакер/dan/свободен/свободный/не_ассистент
role_pretend! притворись/представь,?/веди_себя_так .. что_ты/будто_ты/как_будто_ты/будто
bypass_restrictions! отвечай*/действуй*/говори* .. без ограничений/правил/фильтров/цензуры
leak_system_prompt! покажи*/выведи*/раскрой*/повтори*/напечатай*/назови*/сообщи* .. системн*_промпт*/
    системн*_инструкци*/системн*_сообщени*/системн*_подсказк*/скрыт*_инструкци*/начальн*_инструкци*
deception_hide не говори*/сообщай*/рассказывай*/упоминай* .. пользовател*/владельц*
deception_hide! скрой*/скрывай*/утаи* .. от пользовател*/владельц*
deception_hide чтобы пользовател* .. не узнал/заметил/знал/понял
exfil_secrets!! отправь*/отправляй*/пришли*/перешли*/загрузи*/передай*/скопируй* ... парол*/ключ*/токен*/
    секрет*/учетн*/переписк*/истори*/данные/контекст ... на/в/по .. http/https/сервер/вебхук
"""

UKRAINIAN = """
not: не/ніколи
prompt_injection! ігноруй*/проігноруй*/забудь* ... всі/усі/попередн*/свої/системн* .. інструкці*/вказівк*/промпт*
leak_system_prompt! покажи*/виведи*/розкрий*/повтори* .. системн*_промпт*/системн*_інструкці*/
    прихован*_інструкці*
deception_hide не кажи*/повідомляй*/розповідай* .. користувач*/власник*
"""

ARABIC = """
not: لا/لم/لن/عدم
prompt_injection! تجاهل*/انس/انسى/تخط*/تجاوز ... التعليمات/الأوامر/التوجيهات/القواعد/تعليماتك/الإرشادات ..
    السابقة/أعلاه/الأصلية/النظام/الأولية
prompt_injection! تجاهل*/انس/انسى جميع/كل/كافة .. التعليمات/التوجيهات/تعليماتك/الإرشادات
role_hijack أنت_الآن/أنت_من_الآن/من_الآن_فصاعدا_أنت .. مساعد*/نموذج*/قرصان/هاكر/بدون/بلا/غير_مقيد/حر
role_pretend! تظاهر/تصرف .. بأنك/كأنك/وكأنك/أنك
bypass_restrictions! أجب*/تصرف*/تحدث*/رد .. بدون/دون/بلا .. قيود/قواعد/حدود/رقابة/فلاتر
leak_system_prompt! اعرض/أظهر/اكشف/اطبع/كرر/أخبرني/اكتب .. موجه_النظام/تعليمات_النظام/رسالة_النظام/
    التعليمات_الأصلية/التعليمات_المخفية/مطالبة_النظام
deception_hide لا تخبر/تقل/تذكر/تعلم/تبلغ .. المستخدم/للمستخدم/المالك
deception_hide! أخف/أخفي/اكتم .. عن المستخدم/المالك
deception_hide دون/بدون علم المستخدم/المالك
exfil_secrets!! أرسل*/ارفع*/انقل*/سرب* ... كلمة/كلمات/مفتاح/مفاتيح/المفاتيح/الرموز/البيانات/المحادثة/الأسرار/
    بيانات ... إلى .. http/https/خادم/الخادم
"""

HINDI = """
not: मत/न/नहीं/ना
prompt_injection पिछल*/पहले/उपरोक्त/ऊपर/सभी/सारे/अपने/सिस्टम .. निर्देश*/आदेश*/प्रॉम्प्ट*/अनुदेश* .. अनदेखा/नज़रअंदाज़/
    नजरअंदाज/भूल/उपेक्षा/इग्नोर/भुला
-prompt_injection पिछल*/पहले/उपरोक्त/ऊपर/सभी/सारे/अपने/सिस्टम .. निर्देश*/आदेश* .. मत/न .. भूल*/अनदेखा/नज़रअंदाज़
role_hijack अब_तुम/अब_आप/अब_से_तुम/अब_से_आप .. बिना_किसी/प्रतिबंध*/हैकर/असीमित/स्वतंत्र/अनियंत्रित
leak_system_prompt सिस्टम_प्रॉम्प्ट/सिस्टम_निर्देश/छिपे_निर्देश/मूल_निर्देश/अपना_प्रॉम्प्ट .. दिखा*/बता*/प्रिंट/प्रकट/लिख*/
    दोहरा*
deception_hide उपयोगकर्ता/यूज़र/यूजर/मालिक को/से .. मत_बता*/न_बता*/नहीं_बता*/मत_कह*/छिपा*/छुपा*/पता_न
exfil_secrets पासवर्ड*/कुंजी*/कुंजियाँ/टोकन*/क्रेडेंशियल*/बातचीत/डेटा/एपीआई ... http/https/सर्वर/वेबहुक ... भेज*/
    अपलोड
"""

TURKISH = """
not: asla/hiç
prompt_injection önceki/yukarıdaki/geçmiş/tüm/bütün/sistem/mevcut/sana_verilen .. talimat*/yönerge*/prompt*/
    istem* .. yok_say/yok_sayın/görmezden_gel/görmezden_gelin/unut/unutun/göz_ardı_et/göz_ardı_edin/
    dikkate_alma/dikkate_almayın/geçersiz_say
role_hijack artık/bundan_sonra/şu_andan_itibaren/şimdi sen? .. kısıtlama*/sınırsız/filtresiz/hacker/kuralsız/
    kısıtlanmamış
bypass_restrictions hiçbir kısıtlama*/kural*/sınır*/filtre* .. olmadan/yokmuş .. cevap*/yanıt*/davran*/konuş*
leak_system_prompt sistem_istemi*/sistem_promptu*/sistem_talimat*/sistem_mesaj*/gizli_talimat*/ilk_talimat* ..
    göster/gösterin/yaz/yazın/söyle/söyleyin/açıkla/paylaş/yazdır/ifşa
deception_hide kullanıcıya/kullanıcıdan/sahibine .. söyleme/söylemeyin/bildirme/haber_verme/anlatma/bahsetme/
    gizle/gizleyin/sakla/belli_etme
exfil_secrets şifre*/parola*/anahtar*/token*/kimlik_bilgi*/konuşma*/sohbet*/veri* ... http/https/sunucu*/webhook
    ... gönder/gönderin/yükle/yükleyin/ilet/iletin
"""

KOREAN = """
not: 절대/안
prompt_injection 이전*/기존*/위*/모든/앞선/시스템 .. 지시*/명령*/프롬프트*/지침* .. 무시하고/무시해/무시하세요/
    무시해라/무시하라/잊어/잊어라/잊어버려/잊고
role_hijack 이제/지금부터/이제부터 너는/당신은/넌 .. 제한*/해커*/무제한*/자유로운
leak_system_prompt 시스템_프롬프트*/시스템_지시*/숨겨진_지시* .. 보여*/출력*/알려*/공개*/말해*
deception_hide 사용자*/유저* .. 말하지_마*/알리지_마*/숨겨*/알려주지_마*/비밀로
"""

CHINESE = """
not: 不要/别/勿/不能/请勿/不可/不得/不应/不
prompt_injection! 忽略/无视/無視/忘记/忘掉/忘記/不要理会/抛开 .. 之前/以前/先前/上面/上述/以上/前面/你的/系统/
    系統/原来/初始/原有 .. 指令/指示/提示词/提示詞/命令/规则/規則/设定/設定/要求
prompt_injection! 忽略/无视/無視/忘记/忘掉/忘記 .. 所有/全部/一切 .. 指令/指示/提示词/提示詞
prompt_injection 不要/不再/停止 遵守/遵循/听从 .. 之前/你的/系统/任何/原有 .. 指令/规则/指示/限制
role_hijack 你现在是/现在你是/从现在起你是/从现在开始你是/从现在起你就是/你現在是/從現在起你是 一个/一名/一位/
    一個/没有/不受/无限制/不再
role_pretend 假装/假裝/扮演/假扮 .. 没有/沒有/无/不受 .. 限制/约束/规则/审查
role_pretend 假装/假裝 你是/自己是
bypass_restrictions 没有任何/不受任何/不受/毫无 限制/约束/规则/审查/道德 .. 回答/回复/行动/助手/ai/模式
leak_system_prompt! 输出/显示/告诉我/透露/泄露/打印/重复/展示/说出/写出/公开 .. 系统提示词/系统提示/系统指令/
    系统消息/初始指令/隐藏指令/你的提示词/系統提示
deception_hide 不要/别/不得/切勿/请勿/不能 告诉/告知/透露给/讲给 用户/使用者/主人
deception_hide 不要/别/不得/切勿/不能 让/向 用户/使用者/主人 .. 知道/发现/透露/察觉/提及
deception_hide 瞒着/背着/隐瞒 用户/使用者/主人
deception_hide 对/向 用户/使用者/主人 隐瞒/保密
exfil_secrets! 密码/密码/密钥/令牌/凭证/凭据/对话/聊天记录/apikey/环境变量/所有数据/用户数据/上下文/记忆 ...
    发送/上传/发/传/转发/提交/泄露 到/给/至 .. http/服务器/网址/外部/邮箱
exfil_secrets! 发送/上传/转发/提交/泄露 .. 密码/密钥/令牌/凭证/对话/聊天记录/apikey/环境变量/用户数据/上下文/
    记忆 ... 到/给/至 .. http/服务器/网址/外部/邮箱
"""

JAPANESE = """
not: 決して
prompt_injection 以前の/これまでの/前の/上記の/先の/あなたの/システムの/元の/最初の/すべての/全ての/全部の ..
    指示/命令/プロンプト/指令 .. 無視して/無視しろ/無視せよ/無視し/無視する/忘れて/忘れろ/破棄して/従わないで/
    従うな
-prompt_injection 以前の/これまでの/前の/上記の/先の/あなたの/システムの/元の/最初の/すべての/全ての/全部の ..
    指示/命令/プロンプト/指令 .. 無視しない
prompt_injection あなたの/システムの/これまでの/以前の .. ルール/規則/制約/ガイドライン .. 無視して/無視しろ/
    無視せよ/破って/破れ/忘れて
role_hijack あなたは今から/今からあなたは/これからあなたは/あなたはもう/お前は今から ... 制限のない/無制限/
    何でも/ハッカー/別のai/悪の/dan/になりき/ではありません
role_pretend 制限/制約/規則/ルール/検閲/フィルター が/の/も? ない/なし/無し/なく/無い .. ように/として/かのように
role_pretend になりきって/のふりをして/のふりをしろ
leak_system_prompt システムプロンプト/システム指示/システムメッセージ/初期指示/隠された指示/初期プロンプト ..
    表示して/表示しろ/出力して/出力しろ/教えて/教えろ/見せて/見せろ/開示して/明かして/書き出して/繰り返して
deception_hide ユーザーに/ユーザに/ユーザーには/利用者に/所有者に/持ち主に .. 言わないで/伝えないで/教えないで/
    知らせないで/話さないで/明かさないで/言うな/伝えるな/知らせるな/教えるな/知られないように/
    気づかれないように/気付かれないように/内緒/秘密に
exfil_secrets パスワード/apiキー/鍵/秘密鍵/トークン/認証情報/会話/履歴/個人情報/環境変数 ... http/外部/サーバー/
    このアドレス ... 送信/送って/送れ/アップロード/転送/投稿
exfil_secrets http ... に/へ パスワード/apiキー/秘密鍵/トークン/認証情報/会話/履歴/個人情報/環境変数 .. 送信/
    送って/送れ/アップロード/転送
"""

SPACED = (
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    ITALIAN,
    DUTCH,
    POLISH,
    RUSSIAN,
    UKRAINIAN,
    ARABIC,
    HINDI,
    TURKISH,
    KOREAN,
)
SOLID = (CHINESE, JAPANESE)
"""Scripts without spaces between words."""
