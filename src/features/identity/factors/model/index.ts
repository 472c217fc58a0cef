export { authenticatorApps, passkeys, recoveryCodes } from './tables.ts'
