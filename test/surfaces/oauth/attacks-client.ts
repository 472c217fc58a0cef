import { addCleanup } from '../../support/database.ts'
import { type Attack, authorizeWith, PAGE, refusalOf, tokenError } from './attack.ts'
import { REDIRECT } from './oauth-client.ts'

const registration = (name: string, metadata: unknown, error = 'invalid_redirect_uri'): Attack => ({
  name: `a registration ${name}`,
  run: async (w) => refusalOf(await w.register(metadata)),
  refused: tokenError(error),
})

const uris = (...redirect_uris: unknown[]) => ({ client_name: 'Lantern', redirect_uris })

const REGISTRATIONS: Attack[] = [
  registration('without redirect addresses', {}),
  registration('with a list that is none', { redirect_uris: 'https://app.example/' }),
  registration('with a number as an address', uris(7)),
  registration('with a script', uris('javascript:alert(1)')),
  registration('with a data URL', uris('data:text/html,x')),
  registration('with a file', uris('file:///etc/passwd')),
  registration('with http on another host', uris('http://app.example/callback')),
  registration('with a fragment', uris('https://app.example/#x')),
  registration('with a user name', uris('https://app.example@evil.example/')),
  registration('with dots in the path', uris('https://app.example/../x')),
  registration('with a number for 127.0.0.1', uris('http://2130706433/callback')),
  registration(
    'with eleven addresses',
    uris(...Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`)),
  ),
  registration('with a very long address', uris(`https://app.example/${'x'.repeat(600)}`)),
  registration('of a web app with an address of an app', {
    ...uris('cursor://callback'),
    application_type: 'web',
  }),
  registration('that is a list', [], 'invalid_client_metadata'),
  registration('that is null', null, 'invalid_client_metadata'),
  {
    name: 'a registration that is larger than 32 KB',
    run: async (w) =>
      refusalOf(await w.register({ ...uris(REDIRECT), client_uri: 'x'.repeat(40_000) })),
    refused: tokenError('invalid_request'),
  },
]

/** An id that must not be fetched. */
const address = (name: string, client_id: string): Attack => ({
  name: `a client id ${name}`,
  run: (w) => authorizeWith(w, { client_id }),
  refused: PAGE,
})

const ADDRESSES: Attack[] = [
  address('on this computer', 'https://127.0.0.1/client.json'),
  address('on localhost', 'https://localhost/client.json'),
  address('on this computer, with IPv6', 'https://[::1]/client.json'),
  address('of the metadata service of a cloud', 'https://169.254.169.254/latest/meta-data'),
  address('in a private network', 'https://10.0.0.1/client.json'),
  address('with http', 'http://app.example/client.json'),
  address('without a path', 'https://app.example/'),
  address('with a user name', 'https://user@app.example/client.json'),
  address('with a fragment', 'https://app.example/client.json#x'),
  address('with dots in the path', 'https://app.example/a/../client.json'),
  address('with a host in upper case', 'https://APP.example/client.json'),
]

type Content = (url: string) => Response

/** A document at an address of this computer, which the operator has allowed. */
const document = (name: string, content: Content): Attack => ({
  name: `a metadata document ${name}`,
  async run(w) {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ({ url }) => content(url) })
    addCleanup(() => void server.stop(true))
    return authorizeWith(w, { client_id: `http://127.0.0.1:${server.port}/client.json` })
  },
  refused: PAGE,
  env: { CORK_ALLOW_HOSTS: '127.0.0.1' },
})

const metadata = (client_id: string, more: object = {}) =>
  Response.json({ client_id, client_name: 'Lantern', redirect_uris: [REDIRECT], ...more })

const DOCUMENTS: Attack[] = [
  document('of another client', () => metadata('https://claude.ai/client.json')),
  document('with a longer id', (url) => metadata(`${url}?x`)),
  document('without a name', (url) => metadata(url, { client_name: undefined })),
  document('without redirect addresses', (url) => metadata(url, { redirect_uris: [] })),
  document('with other redirect addresses', (url) =>
    metadata(url, { redirect_uris: ['https://app.example/'] }),
  ),
  document('with a script as a redirect address', (url) =>
    metadata(url, { redirect_uris: [REDIRECT, 'javascript:alert(1)'] }),
  ),
  document('with a secret', (url) => metadata(url, { client_secret: 'secret' })),
  document('that is larger than 8 KB', (url) => metadata(url, { logo_uri: 'x'.repeat(9000) })),
  document('that is not JSON', () => new Response('<html>')),
  document('that is a list', () => Response.json([])),
  document('that redirects to another', () => Response.redirect('https://app.example/client.json')),
  document('that does not exist', () => new Response('', { status: 404 })),
]

export const CLIENT_ATTACKS: Attack[] = [...REGISTRATIONS, ...ADDRESSES, ...DOCUMENTS]
