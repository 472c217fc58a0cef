export type { ChallengeFor } from './challenges.ts'
export { type CheckedCode, checkCode } from './codes.ts'
export {
  deletePasskey,
  insertPasskey,
  type PasskeyRow,
  passkeyByWebauthnId,
  passkeysOf,
  renamePasskey,
  usePasskey,
} from './passkeys.ts'
export {
  deleteRecoveryCodes,
  newRecoveryCodes,
  recoveryCodesOf,
  replaceRecoveryCodes,
} from './recovery.ts'
export {
  Assertion,
  Code,
  Factors,
  MAX_PASSKEYS,
  NewPasskey,
  Passkey,
  PasskeyId,
  PasskeyName,
  RECOVERY_CODES,
  WebAuthnOptions,
} from './schema.ts'
export { type FactorSummary, factorsOf, hasFactor } from './store.ts'
export { authenticatorApps, passkeys, recoveryCodes } from './tables.ts'
export { appOf, confirmApp, deleteApp, newSecret, periodOf, storeSecret } from './totp.ts'
export {
  allowsPasskeys,
  checkAssertion,
  checkAttestation,
  creationOptions,
  requestOptions,
} from './webauthn.ts'
