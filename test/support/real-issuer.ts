import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export interface IssuerAccount {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

export const CLIENT = { id: 'corkboard', secret: 'the secret of the board' }

async function newKeys(kid: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { keys: [{ ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' }] }
}

/**
 * A real OpenID Connect issuer, the certified oidc-provider. Instead of asking for a password, it
 * signs in the account that the test names.
 */
export async function startRealIssuer(boardUrl: string) {
  const accounts = new Map<string, IssuerAccount>()
  const state = { signsInAs: '', keyNumber: 1, boardUrl, backchannelUrl: boardUrl }
  let callback: (request: IncomingMessage, response: ServerResponse) => void
  const http: Server = createServer((request, response) => callback(request, response))
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const address = http.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

  const open = async () => {
    const keys = await newKeys(`key-${state.keyNumber}`)
    const provider = new Provider(url, configurationOf(state, accounts, keys))
    const serve = provider.callback()
    callback = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void serve(request, response)
      const login = { accountId: state.signsInAs }
      void provider.interactionFinished(request, response, { login })
    }
  }
  await open()
  return {
    url,
    accounts,
    add(account: IssuerAccount) {
      accounts.set(account.sub, account)
      state.signsInAs = account.sub
    },
    signInAs: (sub: string) => {
      state.signsInAs = sub
    },
    /** Replaces the keys, which also forgets all sessions. */
    async rotateKeys() {
      state.keyNumber++
      await open()
    },
    /** Registers another board instead, for servers that get their port after the issuer. */
    async registerBoard(url: string, backchannelUrl = url) {
      state.boardUrl = url
      state.backchannelUrl = backchannelUrl
      await open()
    },
    stop: () => new Promise<void>((done) => void http.close(() => done())).then(),
    closeConnections: () => http.closeAllConnections(),
  }
}

export type RealIssuer = Awaited<ReturnType<typeof startRealIssuer>>

const configurationOf = (
  { boardUrl, backchannelUrl }: { boardUrl: string; backchannelUrl: string },
  accounts: ReadonlyMap<string, IssuerAccount>,
  jwks: Awaited<ReturnType<typeof newKeys>>,
): Configuration => ({
  jwks,
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [`${boardUrl}/sign-in/1/callback`],
      post_logout_redirect_uris: [`${boardUrl}/sign-in`],
      backchannel_logout_uri: `${backchannelUrl}/oidc/backchannel-logout/1`,
      backchannel_logout_session_required: true,
    },
  ],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'groups'],
  },
  features: {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    rpInitiatedLogout: { enabled: true },
  },
  cookies: { keys: ['a key of the test'] },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, sub) => {
    const account = accounts.get(sub)
    return account && { accountId: sub, claims: () => ({ ...account }) }
  },
  /** Nobody is asked for consent. */
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client!.clientId,
      accountId: oidc.session!.accountId!,
    })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
})
