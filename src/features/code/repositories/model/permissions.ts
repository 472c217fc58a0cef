import type { CodeHost, HostClient } from '../../hosts/model/index.ts'

type Found = NonNullable<Awaited<ReturnType<HostClient['repository']>>>

interface Need {
  name: 'mayRead' | 'mayWrite' | 'mayManage'
  reason: string
  names: Record<CodeHost['kind'], string>
}

/** Every permission that a token needs, and what it is for. */
const NEEDS: readonly Need[] = [
  {
    name: 'mayRead',
    reason: 'Reads issues, pull requests, checks and tags',
    names: {
      github: 'Contents, Issues, Pull requests, Checks: read',
      gitlab: 'api, with the role Guest or higher',
      forgejo: 'repository and issue: read',
    },
  },
  {
    name: 'mayWrite',
    reason: 'Creates and updates issues, comments and labels, if issues are synchronized',
    names: {
      github: 'Issues: write',
      gitlab: 'api, with the role Reporter or higher',
      forgejo: 'issue: write',
    },
  },
  {
    name: 'mayManage',
    reason: 'Creates the webhook; without it, you enter the webhook yourself',
    names: {
      github: 'Webhooks: write',
      gitlab: 'api, with the role Maintainer or higher',
      forgejo: 'repository: write, as an administrator of the repository',
    },
  },
]

export const permissionsOf = (kind: CodeHost['kind'], found: Found) =>
  NEEDS.map(({ name, reason, names }) => ({
    ...{ permission: names[kind], reason, granted: found[name] },
  }))
