/** The order matters: most user agents also contain the names of other browsers. */
const BROWSERS = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['an iPhone', /\biPhone\b/],
  ['an iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['a Mac', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Name of a browser that its user agent does not tell. */
export const UNKNOWN_BROWSER = 'Browser'

/** Describes a browser and its system, as in "Firefox on Windows". */
function browserName(agent: string): string {
  const firstMatch = (patterns: readonly (readonly [string, RegExp])[]) =>
    patterns.find(([, pattern]) => pattern.test(agent))?.[0]
  const system = firstMatch(SYSTEMS)
  return (firstMatch(BROWSERS) ?? UNKNOWN_BROWSER) + (system ? ` on ${system}` : '')
}

/** Loopback addresses: this machine, or a proxy in front of the server. They are not shown. */
const LOCAL_ADDRESS = /^(local$|127\.|::1$|::ffff:127\.)/
const SEPARATOR = ', '

/** Builds the stored name of a session: the browser and, unless it is local, the address. */
export const sessionName = (agent: string | null, address: string): string =>
  browserName(agent ?? '') + (LOCAL_ADDRESS.test(address) ? '' : SEPARATOR + address)

/** Splits the stored name of a session into browser and address. */
export function parseSessionName(name: string): { browser: string; address: string | null } {
  const [browser = UNKNOWN_BROWSER, address] = name.split(SEPARATOR)
  return { browser, address: address ?? null }
}
