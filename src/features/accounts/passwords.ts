const ARGON = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export const hashPassword = (password: string) => Bun.password.hash(password, ARGON)

let nobody: Promise<string> | undefined

/** Takes as long for somebody who has no password, so that time does not tell who has an account. */
export async function matches(password: string, hash: string | null | undefined) {
  nobody ??= hashPassword(crypto.randomUUID())
  const same = await Bun.password.verify(password, hash ?? (await nobody))
  return same && !!hash
}
