import type { operations } from '../../../../src/features/identity/factors/operations/index.ts'
import type { OperationSample, SamplesOf } from '../../../support/operation-sample.ts'

/** Only a person in a browser may manage how they sign in. */
const inBrowser = {
  allowed: [],
  caller: 'browser',
  noCommand: 'a key or a token is no proof of who sits in front of a browser',
} as const satisfies Partial<OperationSample>

const NO_CHANGE = 'it only answers what a browser or an app needs to go on'
const IN_BROWSER = 'factors.test.ts: it takes a browser'
const SIGNED = 'what an authenticator has signed'

export const samples: SamplesOf<typeof operations> = {
  'factors.list': {
    ...inBrowser,
    input: () => ({}),
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'passkeys',
        'passkeys[].last_used_at',
        'authenticator_app',
        'recovery_codes',
      ],
    },
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
    noTexts: { webauthn_id: SIGNED, client_data: SIGNED, attestation: SIGNED, transports: SIGNED },
  },
  'passkeys.rename': {
    ...inBrowser,
    input: () => ({ passkey_id: 1, name: 'Laptop' }),
    approval: 'never',
    auditTestedIn: IN_BROWSER,
  },
  'passkeys.delete': {
    ...inBrowser,
    input: () => ({ passkey_id: 1 }),
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
    approval: 'never',
    auditTestedIn: IN_BROWSER,
  },
  'authenticator_app.delete': {
    ...inBrowser,
    input: () => ({}),
    approval: 'always',
    auditTestedIn: IN_BROWSER,
  },
  'recovery_codes.create': {
    ...inBrowser,
    input: () => ({}),
    approval: 'always',
    auditTestedIn: IN_BROWSER,
  },
  'verification.begin': {
    ...inBrowser,
    input: () => ({}),
    approval: 'never',
    notAudited: NO_CHANGE,
    auditTestedIn: IN_BROWSER,
  },
  'verification.verify': {
    ...inBrowser,
    input: () => ({ password: 'correct horse battery' }),
    approval: 'never',
    auditTestedIn: IN_BROWSER,
  },
}
