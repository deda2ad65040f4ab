"""English words that open sentences, and so are written with a capital letter without naming anything.

Counted in public chats: words that stand at the start of a sentence now and then, and elsewhere in lower case.
"""

from hermes_agent.text.time_words import word_set

OPENERS = word_set(
    """
    absolutely abstract academic access accessories according account accuracy acknowledge acoustic active
    actively activities actually adapt add added additional additionally address addressed adds adequate
    adhesives adjust adjusted administrative advanced after afternoon afterward again age agenda ago agree
    agreed aim air algorithm align all allocate allow allows almond almost already alright also alternate
    alternative although always amazing amenities analysis analytics analyze and animals ankle annual another
    answer any anybody anyone anything anyway apart app apply appoint appraisal appraisers appreciate approach
    approximately apps architecture are areas arm around arrange arrive art article artistic artists as ask
    aspect assess asset assign assume assuming async at atmosphere attach attend attorney audience audiobook
    audiobooks audit author automate automatic average avocado avoid award awards awesome aww baby back
    background backup bake baked balance balanced banana bank banks base based basic basmati batch battery be
    beach bear because become beds beef been before begin behind believe bell below bend beneficiary benefit
    benefits berries besides best bet better bias big bike birthday black blend block blue blues board body
    bold book books boost borrow both bounce box brainstorm brake branch brand brands bread break breakdown
    breakfast breaks brief briefly bring broader brown browse browser brush budget buffer build bummer bundle
    business but buy by bye calculate calendar call camera can cancel candidate candidates canned cannot
    capture car card cards care career carefully carry case cash casual cat catch categorize category
    cauliflower cause celebrate ceramic certain certainly certified chain challenges change changes character
    characters chatbots check checked checklist checkout cherry chest chia chicken children chill chocolate
    choose chord cinnamon citrus claim clarify classic clean clear clearly click client climate close cloud
    coastal coconut code coffee cold collaborate collaborative collect color colors colorways column combine
    combined combines come comes comfort commit common communicate communities commute companies company
    compare comparison compile complete completed complex compliance component compost comprehensive concert
    concerts concrete conditional conduct confidence configure confirm conflict congrats congratulations conn
    connect cons consent consider consistency consistent consistently constructive consult contact contemporary
    content context contingency continue continuously contrast control controls convenience convenient convert
    cook cool coordinate copies copy core correct correctly cost costs cotton could count country coupon course
    court cover coverage covers cozy craft crazy creamy create creates creative credit critical cross cucumber
    cultural current currently curriculum custom customer customize cut daily dairy damn dark data database
    date day days deadline deadlines dear debt debug decide dedicate deep default define definitely delay
    delegate delete delivery demonstrate demonstrates dental dependent deploy depth describe design designed
    despite detail detailed details determine develop device dialogue dice did different difficulty digital
    dinner direct directory discount discounts discover discuss discussed display distance distribute diverse
    do documentaries does dogs domain donate done double download draft drain draw dress dried drink drinks
    drive driven drop dry due during dust dynamic each eager earlier early earn ease easier easy eat eco
    economy edge edit educational effective efficiency efficient egg eggs either electrolytes electronic
    eliminate else email emergency emotional empathy emphasize employee enable enamel encourage encourages end
    energy engage engineered enhance enhanced enhances enjoy ensure ensures enter entry environmental epic
    equal especially essential establish estate estimate ethical evaluate even evening event events eventually
    ever every everybody everyone everything evidence exactly exam example examples excellent except
    exceptional excited exclusive execute exercise exercises expand expect expected expense expenses experience
    expert expertise explain explicit explore explores export express extend extended external extra extract
    fabric facilitate fact factors facts fair fall family fantasy far fashion fast faster fatigue feature
    features feedback feel fees feminist festival festivals few file fill film films filter final finalize
    finally financial find fine finger fingers finish fireproof first fish fit fix fixed flash flavor flight
    flow foam focus focused focuses fold folk folks follow food foods foot footer for forget forgotten form
    formal format formula foster found frame free freelance freeze frequency frequent fresh from fruit fruits
    fuel full fun functional fund funeral fungal further furthermore future gain gallery game games garlic
    garnish gas gather gear gender general generate genre gentle gently get gift gin give given glad glass
    global go goal goals goat golden gone gonna good got gotcha gotta gradual grammar grant graphic great green
    grill grilled grip groceries grocery ground group guardians guess guest guidance guided guides guitar guys
    had haha hahaha hair half hand handle handmade hands hang happy hard hardware has have having he head
    health healthcare healthy heat heavy heel hello help helps hence her herb herbal here hers hey hi hide
    hierarchical high higher highlight highly hike him hip his historical hmm hobbies hold home homemade honey
    hook hope hopefully host hot how however human hybrid i ideal identify if ignore image imagine immediate
    immediately impact implement import importance important improve improved improves in incident include
    included inclusive income incorporate increase increased indeed independent indie individual industry
    influence influencer influencers info inform infused ingredients initial injury inline input insert
    insights inspect install instead insurance integrate integrates intent interactive interest internal
    international interval interview interviews into introduce invalid inventory invest invite involve is
    island isn it item items iterative its jazz jewelry job join joint journal jump just keep key keyboard
    kimchi kind know known label labels labor lack language large largest last late lately later launch
    lavender layer layout lazy lead leadership lean learn least leather leave left leftover leg legal leisure
    lemon length less let lets letters leverage library life lifestyle light lighter lightweight like likely
    lime limit limited link list listed listen lists literary literature live lmao load loan local lock log
    logical login logistics long longer look looks loop loose lots love low lower loyalty luckily lucky lunch
    lunges luxury machine madam made main mainly maintain maintenance major make makes manage manual many
    market master material materials maybe me meal mean meanwhile measure meat medical medium meet meeting
    meetings memory mental mention mentor mentorship merge mesh message met metal metallic metaphors method
    methodology metrics mezcal microfiber mid midsole might mild miles milestone milestones mind mindset mine
    mini minimal minimalist minimize mint missed mix mixed mmm mobile mock modal model moderate modern modify
    moisture monitor month monthly more moreover morning mortgage most mostly mountain move much mulch multi
    multiple muscle museums music must mutual my nah name named narrative narrator natural nature navbar
    navigate near nearly neck need negotiate neighborhood neither nerve net network neutral never nevertheless
    new newer next nice night no nobody noise none nope nor normally not note noted notes nothing notice now
    number numbers nuts objective observe obtain obviously of off offer offered offers office official often oh
    oil ok okay old on once one onions online only oof open operators opportunities opt optimize optional or
    orange order organic organizational organize original orthotic other others otherwise our out outcome
    outdoor outline outsole over overall overdrive overnight overview own pack page pages paint pair pan pantry
    paper paragraph parents participants participate partner passive password paste patience pattern pay peace
    peak pedal peer people perfect perform performance perhaps personal perspective persuasive pest pet pets
    phase phone photo photographs photography photos physical physics pick pilot place plan plant platform
    platforms play please plot plus plush podcasts point points policy polish political pool pop popular
    positive post postcard potential power practical practice pre predictive prefer premium prep prepare
    present press pretty prevent prevents previous price prices primary print prioritize privacy private
    probably probate problem problems process produce product professional program progress project promote
    proof proofread proper properly property propose proposed pros protect protective protein provenance
    provide provides public pull purchase purpose push put quantum quarterly query question questions quick
    quickly quiet quinoa quite radio rain raise rate rather ratio re reach read ready real realistic really
    reason reasons reassess recall receive recent recently recipe recognize recommend recommended record
    recover recovery recycled red redeem reduce reduced reduces reefs refactor refer reference references
    referrals refine reflect reflective refresh refrigerate regarding regards region register regular regularly
    reinforce relate relax release relevance relevant remember remind reminder reminders remote remove rename
    rent repeat replace reply report represents request require required requires resale reschedule research
    reserve reset resin resistance resource resources respect respond response responsive rest restart result
    results resume retailers return review reviewed reviews revise revisit reward rewards rewrite rhetorical
    rice rich ride right risk road roast roasted rock role roles roll route router routine rubber run rustic
    safe safety sales salt same sample sarcophagi save savings saxophone say says scale scan scene scenery
    scenic schedule scheduled scholarship scholarships school sci science scope screen script scroll sea search
    season seasonal second secondary secure see seek seems select self semantic send separate series serve
    server service set setup several shadow shake shape share shared she shelf shift shoe shoot shop short
    shorter should shoulder show showcase shows shredded side sign signature signed similar similes simple
    simplify simply simulate since single sir sit six size skill skills skip sleek sleep slice sliced slightly
    slow slowly small smaller smart smooth smoothie snacks sneaker sneakers so soak social soft software soil
    soles solve some somebody somehow someone something sometimes somewhere soon sorry sort sound sounds source
    sourdough soy spa space sparrows speak special specialty specific specify speed spend spices spicy spinach
    split spray spread sprinkle sprint square squats stack staff stand standard start started state static
    status stay step steps stick still stir stop storage store stories story strain strategies strategy
    strawberry streamline streamlined street strength strengthen strengths stress stretch strong stronger
    structure structured student studies study sturdy style styles subject submit succulents such suet suggest
    sum summarize summary summer super support suppose sure surely sushi sweet switch symbolism sync tacos tag
    tags tailor tailored take talk tap targeted task tasks taste tax team technical techniques technology tell
    temperature template tennis terrain terrible test tests text texture thank thanks that the their them theme
    themes then there therefore these thesis they thin thing things think third this those though thought
    thoughts three thrift through throughout thus tie time timeline tip tips tire title to today toe together
    toggle token tomato tomatoes tomorrow tone tonight too took tool tools top topic topics tortillas toss
    total totally touch toys track traditional traffic trail train transfer transformers translate transparency
    transparent travel treat tree trial trim trips true trust trusts try ttyl tune turn tutorials twist two
    type types typically ugh ukuleles ultimately under understand unexpected unfortunately unique unless until
    up update updates upgrade upload upon upper urban urgent us usage use used user username users uses usually
    utilities valid validate value variety various vary vehicles vendor venue verify versatile very via vibrant
    video view vintage vinyl virtual visa visit visitors visual visualize voice volleyball volunteer wait walk
    wall wanna want warm warranty was wash washes watch water waterproof way we wear weather web webinars
    website websites week weekend weekly weeks weigh weight weird welcome well went were what whatever when
    whenever where whether which while white who whoa whoever whole whom whose why wide width wild will wine
    wipe wire wish with within without witnesses woah women wonderful wood wooden word words work workflow
    works workshop workshops world worn would wow wrap write written wrong yay yeah year years yellow yep yes
    yess yesterday yet yo yoga you your yours yup zero
    """
)
