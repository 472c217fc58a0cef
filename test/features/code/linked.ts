import { FakeRepository, serveCodeHost } from '../../support/code-host.ts'
import type { World } from '../../support/world.ts'

/** A scripted host that the server may call. */
export function scriptedHost(w: World) {
  if (!w.config.allowHosts.includes('127.0.0.1')) w.config.allowHosts.push('127.0.0.1')
  const repository = new FakeRepository(w.clock.read)
  return { ...serveCodeHost('forgejo', repository), repository, token: repository.token }
}

export async function hostId(w: World): Promise<number> {
  const { url, token } = scriptedHost(w)
  const { team_id } = w
  return (await w.ada['code_hosts.create']({ team_id, kind: 'forgejo', url, token })).host_id
}

export async function linkedRepository(w: World) {
  const { project_id } = w.board
  const { repository_id } = await w.ada['repositories.link']({
    ...{ project_id, host_id: await hostId(w), name: 'acme/site', label: 'bug' },
  })
  return { project_id, repository_id }
}
