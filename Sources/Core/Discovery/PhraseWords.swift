extension SafetyPhrase {
  /// 1,024 short words that are told apart by their first four letters, ascending.
  ///
  /// The list is part of the protocol (`Protocol/vectors/phrase.json`): a word in another place is
  /// another phrase.
  static let words = list.split(whereSeparator: \.isWhitespace).map(String.init)

  private static let list = """
    able acorn actor adapt admit adult after agent agree ahead album alley allow almond aloud
    alpine amber amount anchor angle animal ankle answer apple april apron arch arena argue aroma
    arrow artist ashore aspen atlas atom attic august aunt author autumn avenue avoid awake award
    axis baby bacon badge bagel baker ballad bamboo banana banjo barley barrel basil basket batch
    beach bead bean beauty beaver beech beetle began bell belong bench beyond bigger birch bird
    blend block bloom blue boat body bolt bonus book booth botany bottle bounce bowl brain branch
    bread breeze brick bridge bright broad bronze brush bubble bucket budget build bundle burger
    busy butter buyer cabin cable cactus cake calm camel canal candle canoe canvas canyon carbon
    cargo carpet carrot castle casual catch cedar cement center cereal chain chalk chance charm
    chase cheese cherry chess chief child choice chorus chrome cider cinema circle citrus city
    civil clay clean clever cliff climb clock cloth cloud clover clown coach coast cobalt cocoa
    coffee coin collar color comedy comic common cookie copper coral corner cosmic cotton couch
    county cousin cover cozy crab craft crane crater cream credit crisp crown cruise cube cuckoo
    curl curve cycle daily dairy daisy dance daring dash date dawn debate decade define degree
    delay delta depart depth desert desk detail dial diary diesel differ digit dinner direct dish
    divide doctor domain donkey door double dove draft dragon drama draw dream dress drift drink
    drive drum duck dune during dust duty dwell dynamo eager eagle early earth easel east easy
    echo edge editor effort eight elbow elder empty enamel energy engine enjoy enough enter epic
    equal errand escape essay estate every exact exit expert extra fable fabric factor fair falcon
    family famous fancy farm fast father favor feast fellow fence fern fiber fiddle field fifty
    figure film final finch finger finish fire first fish flag flame flash flavor flight float
    floor flute focus foggy folk follow forest fork format fossil found frame free fresh friday
    friend frog frost fruit fuel funny future gadget galaxy game garage garden garlic gate gather
    gear gentle giant gift ginger glad glass glide globe glory glove glow goal goat gold golf good
    goose grain grand grape grass gravel great green grid grill grocer ground grove guard guess
    guide guitar gulf habit hammer hand happy harbor hazel head heart hedge height helmet help
    herb hero high hiking hill hobby hockey hollow home honey hood hope horse hotel house hover
    human humble hurry husky hybrid icicle icon idea igloo image impact inch income index indigo
    inner insect inside invite iris iron island item ivory jacket jaguar jazz jeans jelly jersey
    jewel jigsaw jogger join joke jolly juggle juice july jump june jungle junior just kayak keen
    keep kennel kernel kettle kick kidney kind king kiosk kite kitten kiwi knee knife knock koala
    label ladder lagoon lake lamb lamp laptop large laser later laugh lava layer leader leaf learn
    lemon lend lesson letter level light lilac lily limit linen liquid list little lively lizard
    llama lobby local lodge logic long loop lotus loud lounge loyal lucky lumber lunar lunch lyric
    magic magnet maid major make mango manor maple marble march margin market mask master match
    matter meadow medal melody member memory menu merry meter middle mild milk mill mimic minute
    mirror mobile model moment monday money monkey month moon moose mosaic moss mother motor mouse
    mouth movie much muffin museum music mutual myth name napkin narrow nation nature navy near
    neat nectar needle nephew nest never nice nickel nimble nine noble noise noon normal north
    nova novel number nurse nutmeg nylon oasis object oblong ocean offer office often okay olive
    omelet once onion open opera option orange orbit order organ origin orphan osprey other otter
    oval oven over owner oxygen oyster pace paddle page paint palace palm panda panel paper parade
    parcel park parrot party pasta patch path peace peanut pebble pencil people pepper period
    permit person phone photo piano picnic pigeon pilot pine pink pipe pirate pitch pizza place
    planet play plenty pocket poem point polar police pond pony poplar porch potato powder prize
    proud public pulse pupil puppet purple puzzle quail queen quest quick quiet quilt quiz quote
    rabbit racket radar radio raft rail raisin ranch range rapid rare rather raven razor reach
    ready real recipe record reduce reef relax rent repeat rescue result return review reward
    rhythm ribbon rice rich riddle ridge ripple rise river road robin robot rocket rodeo roof room
    rope rotate round royal rubber ruby rugby ruler runner rural rush rustic saddle safari safe
    saga salad salmon salt salute same sample sand satin saturn scale scarf school score scout
    screen script search season seat second secret seed select senior sense series settle seven
    shade shape shark sheep shelf shine ship shirt shoe shop short show shrimp side sign silent
    silk silver simple singer siren sister sixty size skate sketch skill skip slalom sleep slice
    slogan slow small smart smile smoke smooth snack snail snow soap soccer social soda sofa soft
    solar solid sonnet soon soup south space spark speak spice spider spiral sponge spoon sport
    spring square staff stamp star steam step stone story straw street string studio style subway
    sugar summer supper swan swift swim syrup system table tackle tailor talent tango tape target
    taste taxi teapot tempo tennis tent term test thank theory thick thing third thorn thread
    ticket tidy tiger timber tiny tissue title toast today toffee tomato tone tongue tool topic
    torch total toucan tour towel town track trade train travel tree trend tribe trick trip trophy
    truck trust truth tulip tuna tundra tunnel turban turkey turtle tutor twelve twenty twin type
    uncle under union unique unit upper urban useful vacuum valley value vapor vase vast vault
    velvet vendor venue verb verse vessel video view vine violet virtue visit vital vivid vocal
    voice volume voyage waffle wagon waiter walnut walrus wander warm wash watch water wave wealth
    weaver wheat wheel whisper white wide wild willow window winter wire wisdom wise wish witness
    wizard wolf wonder wool word work worthy wrist yacht yard yarn yawn year yeast yellow yoga
    yogurt young youth zebra zenith zero zigzag zinc zipper zodiac zone
    """
}
