import type { operations } from '../../../../src/features/identity/factors/operations/index.ts'
import { authenticator } from '../../../support/authenticator.ts'
import type { BrowserClient } from '../../../support/browser-client.ts'
import type { OperationSample, SamplesOf } from '../../../support/operation-sample.ts'
import {
  ACCOUNT,
  addApp,
  addPasskey,
  call,
  codeAt,
  createRecoveryCodes,
  factorsIn,
} from './people-in-browsers.ts'

/** Only a person in a browser may manage how they sign in. */
const inBrowser = {
  allowed: [],
  caller: 'browser',
  noCommand: 'a key or a token is no proof of who sits in front of a browser',
} as const satisfies Partial<OperationSample>

const NO_CHANGE = 'it only answers what a browser or an app needs to go on'
const IN_BROWSER = 'factors.test.ts: it takes a browser'
const SIGNED = 'what an authenticator has signed'
const OWN = { passkey_id: 'a passkey of the person, which no key or token has' }
const NOT_OURS = 'an id that an authenticator gave'

async function withPasskey(browser: BrowserClient) {
  await addPasskey(browser)
  const [passkey] = (await factorsIn(browser)).passkeys
  return { passkey_id: passkey!.passkey_id }
}

export const samples: SamplesOf<typeof operations> = {
  'factors.list': {
    ...inBrowser,
    input: () => ({}),
    async prepareInBrowser(browser, w) {
      await addPasskey(browser)
      await addApp(w, browser)
      await createRecoveryCodes(browser)
      return {}
    },
    unset: { 'needs a second request that follows the first': ['passkeys[].last_used_at'] },
  },
  'passkeys.begin': {
    ...inBrowser,
    input: () => ({}),
    approval: 'never',
    notAudited: NO_CHANGE,
    auditTestedIn: IN_BROWSER,
  },
  'passkeys.create': {
    ...inBrowser,
    input: () => ({ name: 'Phone', webauthn_id: 'aa', client_data: 'aa', attestation: 'aa' }),
    approval: 'never',
    auditTestedIn: IN_BROWSER,
    async prepareInBrowser(browser) {
      const path = `${ACCOUNT}/passkeys/options`
      const { options } = await call<{ options: Record<string, unknown> }>(browser, 'POST', path)
      return authenticator().create(options)
    },
    noReferences: { webauthn_id: NOT_OURS },
    noTexts: { webauthn_id: SIGNED, client_data: SIGNED, attestation: SIGNED, transports: SIGNED },
  },
  'passkeys.rename': {
    ...inBrowser,
    input: () => ({ passkey_id: 1, name: 'Laptop' }),
    prepareInBrowser: withPasskey,
    noReferences: OWN,
    approval: 'never',
    auditTestedIn: IN_BROWSER,
  },
  'passkeys.delete': {
    ...inBrowser,
    input: () => ({ passkey_id: 1 }),
    prepareInBrowser: withPasskey,
    noReferences: OWN,
    approval: 'always',
    auditTestedIn: IN_BROWSER,
  },
  'authenticator_app.begin': {
    ...inBrowser,
    input: () => ({}),
    approval: 'never',
    notAudited: NO_CHANGE,
    auditTestedIn: IN_BROWSER,
  },
  'authenticator_app.confirm': {
    ...inBrowser,
    input: () => ({ code: '123456' }),
    async prepareInBrowser(browser, { clock }) {
      const path = `${ACCOUNT}/authenticator-app`
      const { secret } = await call<{ secret: string }>(browser, 'POST', path)
      return { code: codeAt(secret, clock.now) }
    },
    approval: 'never',
    auditTestedIn: IN_BROWSER,
  },
  'authenticator_app.delete': {
    ...inBrowser,
    input: () => ({}),
    async prepareInBrowser(browser, w) {
      await addApp(w, browser)
      return {}
    },
    approval: 'always',
    auditTestedIn: IN_BROWSER,
  },
  'recovery_codes.create': {
    ...inBrowser,
    input: () => ({}),
    async prepareInBrowser(browser) {
      await addPasskey(browser)
      return {}
    },
    approval: 'always',
    auditTestedIn: IN_BROWSER,
  },
  'verification.begin': {
    ...inBrowser,
    input: () => ({}),
    async prepareInBrowser(browser) {
      await addPasskey(browser)
      return {}
    },
    approval: 'never',
    notAudited: NO_CHANGE,
    auditTestedIn: IN_BROWSER,
  },
  'verification.verify': {
    ...inBrowser,
    input: () => ({ password: 'the old words' }),
    noReferences: { 'passkey.webauthn_id': NOT_OURS },
    noTexts: {
      password: 'never stored',
      'passkey.webauthn_id': SIGNED,
      'passkey.client_data': SIGNED,
      'passkey.authenticator_data': SIGNED,
      'passkey.signature': SIGNED,
      'passkey.user_handle': SIGNED,
    },
    approval: 'never',
    auditTestedIn: IN_BROWSER,
  },
}
