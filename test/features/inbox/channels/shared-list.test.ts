import { expect, test } from 'bun:test'
import { world } from '../../../support/world.ts'

test('those who manage a board or a team list its shared channels, and nobody else', async () => {
  const w = await world({ env: { CORK_ALLOW_HOSTS: '127.0.0.1' } })
  const { project_id } = w.board
  const url = 'http://127.0.0.1:9/hook'
  await w.ada['channels.create']({ kind: 'slack', url, project_id })
  await w.ada['channels.create']({ kind: 'discord', url, team_id: w.team_id })
  const ofBoard = `/api/v1/channels?project_id=${project_id}`
  const ofTeam = `/api/v1/channels?team_id=${w.team_id}`
  expect((await w.http(w.ada, 'GET', ofBoard)).body.data).toMatchObject([{ kind: 'slack' }])
  expect((await w.http(w.ada, 'GET', ofTeam)).body.data).toMatchObject([{ kind: 'discord' }])
  expect((await w.http(w.ada, 'GET', '/api/v1/channels')).body.data).toEqual([])
  for (const path of [ofBoard, ofTeam]) {
    expect((await w.http(w.gus, 'GET', path)).status).toBe(403)
    expect((await w.http(w.otto, 'GET', path)).status).toBe(404)
  }
})
