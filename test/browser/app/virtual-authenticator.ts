import type { Page } from 'playwright-core'

const OPTIONS = {
  ...({ protocol: 'ctap2', transport: 'internal' } as const),
  ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  automaticPresenceSimulation: true,
}

async function authenticatorOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: OPTIONS,
  })
  return { session, authenticatorId }
}

/** Gives the browser of a page an authenticator that answers at once. */
export async function addAuthenticator(page: Page) {
  const { session, authenticatorId } = await authenticatorOf(page)
  let signCount = 0
  return {
    /** Gives another page an authenticator with the same passkeys. */
    async copyTo(other: Page) {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      const target = await authenticatorOf(other)
      // The server refuses a copy whose counter is behind that of the last use.
      signCount += 10
      for (const credential of credentials)
        await target.session.send('WebAuthn.addCredential', {
          authenticatorId: target.authenticatorId,
          credential: { ...credential, signCount },
        })
    },
  }
}
