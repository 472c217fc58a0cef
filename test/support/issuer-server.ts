import { createInstallation, installationAt } from '../binary/installation.ts'

/** Starts the executable at this address, with an issuer whose groups give roles in the team. */
export async function serveWithIssuer(url: string, settings: Record<string, string>) {
  const place = await createInstallation()
  await place.init()
  const installation = installationAt(place.data, {
    ...place.env,
    ...{ CORK_URL: url, CORK_OIDC_CLIENT_ID: 'corkboard', CORK_OIDC_NEW_PEOPLE: 'groups' },
    CORK_OIDC_ROLES: 'cork-admins=Harbour:admin, staff=Harbour:member',
    ...settings,
  })
  const serve = () => installation.serve(['--port', new URL(url).port])
  const roleOf = async (address: string): Promise<string | undefined> => {
    const users = await installation.runJson(['user', 'list'])
    return users.find(({ email }: { email: string }) => email === address).teams[0]?.role
  }
  return { installation, serve, roleOf }
}
