const ARGON = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export const hashPassword = (password: string) => Bun.password.hash(password, ARGON)

let dummyHash: Promise<string> | undefined

/** Verifies against a dummy hash if there is none, so that timing does not reveal accounts. */
export async function verifyPassword(password: string, hash: string | null | undefined) {
  dummyHash ??= hashPassword(crypto.randomUUID())
  const isMatch = await Bun.password.verify(password, hash ?? (await dummyHash))
  return isMatch && !!hash
}
