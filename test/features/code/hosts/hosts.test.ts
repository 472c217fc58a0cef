import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'
import { hostId, linkedRepository, scriptedHost } from '../linked.ts'

test('a token that the host refuses is not stored, and the answer says so', async () => {
  const w = await world()
  const { url } = scriptedHost(w)
  const { team_id } = w
  const fault = await faultOf(
    w.ada['code_hosts.create']({ team_id, kind: 'forgejo', url, token: 'wrong' }),
  )
  expect(fault).toMatchObject({ code: 'invalid', message: 'The host does not accept the token' })
  expect((await w.ada['code_hosts.list']({ team_id })).items).toEqual([])
})

test('a token is stored sealed, and no answer or change contains it', async () => {
  const w = await world()
  const host_id = await hostId(w)
  const stored = JSON.stringify(await w.changes())
  const listed = JSON.stringify(await w.ada['code_hosts.list']({ team_id: w.team_id }))
  expect(`${stored}${listed}`).not.toContain('a token')
  expect(await w.ben['code_hosts.update']({ host_id, token: 'a token' })).toMatchObject({ host_id })
})

test('hosts and repositories of other teams look like those that do not exist', async () => {
  const w = await world()
  const { host_id } = { host_id: await hostId(w) }
  const { project_id, repository_id } = await linkedRepository(w)
  for (const id of [host_id, 987_654])
    expect(await faultOf(w.otto['code_hosts.delete']({ host_id: id }))).toMatchObject({
      ...{ code: 'not_found', details: { field: 'host_id' } },
    })
  const sections = [{ title: 'Next' }]
  const draft = { title: 'Other', team_id: w.team_id, sections }
  const other = await w.ada['projects.create'](draft)
  const onOther = { project_id: other.project_id, repository_id }
  expect(await faultOf(w.ada['repositories.unlink'](onOther))).toMatchObject({ code: 'not_found' })
  const foreign = { project_id, repository_id }
  expect(await faultOf(w.otto['repositories.unlink'](foreign))).toMatchObject({ code: 'not_found' })
})

test('a host with linked repositories is not deleted, and unlinking deletes the webhook', async () => {
  const w = await world()
  const { url, token, repository } = scriptedHost(w)
  const { team_id } = w
  const { project_id } = w.board
  const { host_id } = await w.ada['code_hosts.create']({ team_id, kind: 'forgejo', url, token })
  const link = { project_id, host_id, name: 'acme/site' }
  const { repository_id, webhook } = await w.ada['repositories.link'](link)
  expect(webhook).toBeNull()
  expect(repository.hooks).toHaveLength(1)
  expect(await faultOf(w.ada['code_hosts.delete']({ host_id }))).toMatchObject({ code: 'conflict' })
  await w.ada['repositories.unlink']({ project_id, repository_id })
  expect(repository.hooks).toEqual([])
  expect(await w.ada['code_hosts.delete']({ host_id })).toEqual({ host_id, deleted: true })
})

test('without the permission for webhooks, the answer has what to enter at the host', async () => {
  const w = await world()
  const { url, token, repository } = scriptedHost(w)
  repository.mayManage = false
  const { team_id } = w
  const { host_id } = await w.ada['code_hosts.create']({ team_id, kind: 'forgejo', url, token })
  const { project_id } = w.board
  const linked = await w.ada['repositories.link']({ project_id, host_id, name: 'acme/site' })
  expect(linked.webhook).toMatchObject({ secret: expect.stringMatching(/^whsec_/) })
  expect(linked.permissions.find(({ granted }) => !granted)?.permission).toContain('administrator')
})
