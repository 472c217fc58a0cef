import type { Server } from './caller.ts'

type Encryption = Pick<Server, 'encrypt' | 'decrypt'>

/** Separates these secrets from others that the same key of the installation encrypts. */
const PURPOSE = 'setting'

/** Encrypts a secret that a person entered, such as a token, before it is stored. */
export const seal = async (server: Encryption, text: string): Promise<string> =>
  server.encrypt(PURPOSE, text)

/** Decrypts a sealed secret. Throws if this installation did not seal it. */
export const unseal = async (server: Encryption, sealed: string): Promise<string> =>
  server.decrypt(PURPOSE, sealed)
