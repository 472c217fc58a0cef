import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { runCommand } from '../binary/cork.ts'
import { root } from '../support/source-files.ts'
import { run } from './release.ts'

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.17.3'
const chart = join(root, 'packaging/helm/corkboard')
const IMAGE = ['--set', 'image.repository=example/corkboard']
const goEnv = () => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  GOFLAGS: '-mod=mod',
})
const helm = (...args: string[]) => runCommand(['go', 'run', HELM, ...args], { env: goEnv() })

test('helm accepts the chart, with one server and with two on PostgreSQL', async () => {
  const lint = await helm('lint', '--strict', chart, ...IMAGE)
  expect([lint.code, lint.out]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  const two = ['--set', 'replicas=2,usePostgres=true,existingSecret=cork,ingress.enabled=true']
  const { out, err } = await helm(
    'template',
    'board',
    chart,
    ...IMAGE,
    ...two,
    '--set',
    'ingress.host=a.example',
  )
  expect(err).toBe('')
  const kinds = parseAllDocuments(out).map((one) => one.toJSON()?.kind)
  expect(kinds.sort()).toEqual(['Ingress', 'Service', 'StatefulSet'])
  const refused = await helm('template', 'board', chart, ...IMAGE, '--set', 'replicas=2')
  expect(refused.err).toContain('replicas > 1 needs PostgreSQL')
}, 900_000)

test('the compose files have an image for each service; docker compose accepts them, if it is there', async () => {
  const folder = join(root, 'packaging/compose')
  const env = {
    CORK_IMAGE: 'corkboard:0',
    POSTGRES_PASSWORD: 'p',
    CORK_SECRET: 's',
    CORK_URL: 'http://a',
  }
  for (const file of readdirSync(folder)) {
    const path = join(folder, file)
    const [document] = parseAllDocuments(readFileSync(path, 'utf8'), { merge: true })
    expect([file, document!.errors]).toEqual([file, []])
    const services = Object.values<{ image?: string }>(document!.toJSON().services)
    expect(services.length).toBeGreaterThan(0)
    for (const { image } of services) expect([file, image]).toEqual([file, expect.any(String)])
    if (Bun.spawnSync(['docker', 'compose', 'version']).success)
      await run(['docker', 'compose', '--file', path, 'config', '--quiet'], env)
  }
})
