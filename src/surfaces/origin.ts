/**
 * Whether a request comes from a page of this server. Browsers send Sec-Fetch-Site to trustworthy
 * addresses only. Over plain HTTP in a local network, the Origin header decides.
 */
export function isSameOrigin({ headers, url }: Request, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin' || site === 'none'
  const origin = headers.get('origin')
  if (!origin || !URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return host === (headers.get('host') ?? new URL(url).host) || origin === originOf(publicUrl)
}

export const originOf = (url: string) => (url ? new URL(url).origin : undefined)
