const words = (text: string) => text.split(' ')

/** Elements that a text may contain. */
export const ALLOWED = words(
  'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em ' +
    'figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s ' +
    'samp small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul ' +
    'var wbr',
)

/** Elements of layout and typography. Their tags are removed, their text stays. */
const HARMLESS = words(
  'acronym address article aside big blink center font footer header hgroup main nav nobr picture ' +
    'section source',
)

/** All other HTML elements. In markdown their tags are text, in HTML their tags are removed. */
const OTHER = words(
  'area basefont body data datalist dialog dir fieldset frameset head html label legend listing ' +
    'map marquee math menu meter multicol noembed noframes noscript optgroup option output param ' +
    'plaintext progress rb rtc search selectedcontent slot spacer template title track xmp',
)

/** Disallowed block elements, which separate their words from the words around them. */
const BLOCKS = words(
  'address article aside body center dialog dir fieldset footer form header hgroup legend listing ' +
    'main menu multicol nav noscript option plaintext search section textarea title xmp',
)

/** Elements that run code, load something or change how the page around them looks. */
const ACTIVE = words(
  'applet audio base bgsound canvas embed fencedframe frame iframe link meta object portal script ' +
    'style svg video',
)

/** Elements of a form. Their text stays, but nobody can fill them in. */
const FORM = words('button form input keygen select textarea')

/** Raw text elements: a parser finds no tags in their content. */
const RAW = words('iframe noembed noframes plaintext script style textarea title xmp')

const VOID = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source spacer ' +
    'track wbr',
)

/** Elements that need no end tag, each with the parents that HTML allows for it. */
const OPTIONAL_END: Record<string, string[]> = {
  html: [],
  head: [],
  body: [],
  p: [],
  li: ['ul', 'ol', 'menu', 'dir'],
  dt: ['dl'],
  dd: ['dl'],
  option: ['select', 'datalist'],
  optgroup: ['select'],
  rb: ['ruby'],
  rt: ['ruby'],
  rtc: ['ruby'],
  rp: ['ruby'],
  ...Object.fromEntries(
    words('caption col colgroup tbody td tfoot th thead tr').map((name) => [name, ['table']]),
  ),
}

const allowed = new Set(ALLOWED)
const harmless = new Set(HARMLESS)
const blocks = new Set(BLOCKS)
const active = new Set(ACTIVE)
const form = new Set(FORM)
const raw = new Set(RAW)
const voids = new Set(VOID)
const defined = new Set([...ALLOWED, ...HARMLESS, ...OTHER, ...ACTIVE, ...FORM])

/** Mixed case is not HTML: `<Button>` is a component and `List<Object>` a type. */
export const isDefined = (name: string): boolean =>
  (name === name.toLowerCase() || name === name.toUpperCase()) && defined.has(name.toLowerCase())

export const isAllowed = (name: string): boolean => allowed.has(name)
export const isHarmless = (name: string): boolean => harmless.has(name)
export const isBlock = (name: string): boolean => blocks.has(name)
export const isActive = (name: string): boolean => active.has(name)
export const isForm = (name: string): boolean => form.has(name)
export const isRaw = (name: string): boolean => raw.has(name)
export const isVoid = (name: string): boolean => voids.has(name)
export const parentsOf = (name: string): readonly string[] | undefined =>
  Object.hasOwn(OPTIONAL_END, name) ? OPTIONAL_END[name] : undefined
