export { keyRow, openKey, SigningKey } from './keys.ts'
export { AccessTokenId, ApiKeyId } from './schema.ts'
export {
  type Credential,
  type CredentialKind,
  credentialIdOf,
  type Ended,
  earliest,
  hashOf,
  insertCredential,
  markUsed,
  newSecret,
  newToken,
  ofCaller,
  parentOf,
  revokeTree,
} from './store.ts'
export { credentials, mintedWith, signingKeys } from './tables.ts'
