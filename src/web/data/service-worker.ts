import { basePath } from '../kit/base-path.ts'

/** The types of the browser lack it, and some browsers do. */
interface TrustedTypes {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(address: string): string },
    ): { createScriptURL(address: string): string }
  }
}

const ADDRESS = `${basePath}/service-worker.js`

/** Browsers offer it only to pages that were loaded over HTTPS, or from this machine. */
export const hasServiceWorker = 'serviceWorker' in navigator

let registration: Promise<ServiceWorkerRegistration> | undefined

/** Starts the program that shows push messages, and the app without a connection. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  registration ??= register()
  return registration
}

async function register() {
  const policy = (globalThis as TrustedTypes).trustedTypes?.createPolicy('service-worker', {
    // The only script that the policy permits.
    createScriptURL: () => ADDRESS,
  })
  const scope = `${basePath}/`
  await navigator.serviceWorker.register(policy?.createScriptURL(ADDRESS) ?? ADDRESS, { scope })
  const ready = await navigator.serviceWorker.ready
  // It could not see the requests for the files that this page was loaded with.
  const files = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}${basePath}/assets/`))
  ready.active?.postMessage({ files })
  return ready
}
