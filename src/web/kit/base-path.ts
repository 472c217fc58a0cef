/** The path that this server is at, such as `/board`; empty for none. The server writes it into the page. */
export const basePath = document.documentElement.dataset.base ?? ''

/** The path within the app: what routes, links and `navigate` of the router name. */
export const withoutBase = (pathname: string) => pathname.slice(basePath.length) || '/'

/** Whether an address is one of this server, which may share its host with others. */
export const isBelowBase = ({ origin, pathname }: URL | HTMLAnchorElement) =>
  origin === location.origin && `${pathname}/`.startsWith(`${basePath}/`)

/**
 * The name of something that the browser stores for this server. Servers on one host share the
 * storage of the browser.
 */
export const storageName = (name: string) => basePath + name
