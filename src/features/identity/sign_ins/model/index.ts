export { markVerified, requireBrowser, requireRecentProof } from './proof.ts'
export { insertSignIn, type NewSignIn } from './store.ts'
export { type SecondFactor, type SignInMethod, signIns } from './tables.ts'
