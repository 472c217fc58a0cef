import { FakeRepository, serveCodeHost } from '../../support/code-host.ts'
import { scriptedApp } from '../../support/scripted-app.ts'
import type { World } from '../../support/world.ts'

/** A scripted host that the server may call. A served executable has the real time. */
export function scriptedHost(w: World) {
  if (!w.config.allowHosts.includes('127.0.0.1')) w.config.allowHosts.push('127.0.0.1')
  const repository = new FakeRepository(w.clock?.read ?? (() => new Date()))
  for (const login of ['ben', 'octocat']) repository.addUser(login, false)
  return { ...serveCodeHost('forgejo', repository), repository, token: repository.token }
}

export async function hostId(w: World): Promise<number> {
  const { url, token } = scriptedHost(w)
  const { team_id } = w
  return (await w.ada['code_hosts.create']({ team_id, kind: 'forgejo', url, token })).host_id
}

/** The setup of a GitHub App that Ada began at a scripted GitHub, and the code that it returned. */
export async function begunApp(w: World) {
  if (!w.config.allowHosts.includes('127.0.0.1')) w.config.allowHosts.push('127.0.0.1')
  const repository = new FakeRepository(w.clock?.read ?? (() => new Date()))
  scriptedApp(repository)
  const { url } = serveCodeHost('github', repository)
  const { setup } = await w.ada['code_hosts.begin_app']({ team_id: w.team_id, url })
  return { setup, code: 'a code' }
}

/** A repository with two tags, and a commit between them that merged a pull request of HP-1. */
export async function releasedRepository(w: World) {
  const { url, token, repository } = scriptedHost(w)
  repository.tags = ['v1.1.0', 'v1.0.0']
  repository.commits = [{ sha: 'a1b2c3d4', message: 'Draw it (#7)' }]
  const { team_id } = w
  const { host_id } = await w.ada['code_hosts.create']({ team_id, kind: 'forgejo', url, token })
  const { project_id } = w.board
  const { repository_id } = await w.ada['repositories.link']({
    ...{ project_id, host_id, name: 'acme/site' },
  })
  await w.ada['pull_requests.create']({
    ...{ task_id: w.tasks.logo.task_id, url: 'https://host.example/acme/site/pulls/7' },
    ...{ title: 'Draw it', state: 'merged' as const },
  })
  return { project_id, repository_id }
}

export async function linkedRepository(w: World) {
  const { project_id } = w.board
  const { repository_id } = await w.ada['repositories.link']({
    ...{ project_id, host_id: await hostId(w), name: 'acme/site', label: 'bug' },
  })
  return { project_id, repository_id }
}
