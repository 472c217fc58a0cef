import { expect, test } from 'bun:test'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'
import { consent } from './oauth-client.ts'
import { SDK_CLIENTS, type SdkClient, TestProvider } from './sdk-clients.ts'

const pathOf = ({ pathname, search }: URL) => pathname + search

/** Connects by the address alone; a person allows it in their browser. */
async function connectByUrl(w: ListeningWorld, sdk: SdkClient, provider: TestProvider) {
  const transport = sdk.transport(new URL(w.base), provider)
  await expect(sdk.connect(transport)).rejects.toThrow()
  const answer = await consent(w.browser, pathOf(provider.authorizationUrl!))
  const { searchParams } = new URL(answer.headers.get('location')!)
  await transport.finishAuth(searchParams.get('code')!, searchParams.get('iss')!)
  return sdk.connect(sdk.transport(new URL(w.base), provider))
}

for (const sdk of SDK_CLIENTS) {
  test(`${sdk.name} connects by URL alone, refreshes, and is revoked`, async () => {
    const w = await listeningWorld()
    const provider = new TestProvider()
    const client = await connectByUrl(w, sdk, provider)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('svc_tasks')
    await client.close()

    const before = provider.storedTokens!
    w.clock.advance(2 * 60 * 60_000)
    const refreshed = await sdk.connect(sdk.transport(new URL(w.base), provider))
    expect((await refreshed.listTools()).tools.length).toBeGreaterThan(1)
    expect(provider.storedTokens!.refresh_token).not.toBe(before.refresh_token)
    await refreshed.close()

    const { apps } = await w.ada['grants.list']({})
    expect(apps).toMatchObject([{ name: 'Lantern', agent: { name: 'Lantern' } }])
    await w.ada['grants.revoke']({ grant_id: apps[0]!.grant_id })
    await expect(sdk.connect(sdk.transport(new URL(w.base), provider))).rejects.toThrow()
  })
}
