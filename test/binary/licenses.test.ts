import { afterAll, expect, test } from 'bun:test'
import pkg from '../../package.json'
import { noticesOf } from '../../scripts/licenses.ts'
import { cleanUp, cork } from './cork.ts'

afterAll(cleanUp)

interface Notice {
  packages: string[]
  license: string
  text: string
}

const readNotices = async () => JSON.parse((await cork(['licenses', '--json'])).out) as Notice[]

test('cork licenses names every bundled package and no development tool', async () => {
  const notices = await readNotices()
  const names = notices.flatMap(({ packages }) => packages.map((one) => one.replace(/ .*/, '')))
  const missing = Object.keys(pkg.dependencies).filter((name) => !names.includes(name))
  expect(missing).toEqual([])
  // The runtime, an indirect dependency, and packages of the API viewer.
  for (const name of ['Bun', 'micromark-util-character', '@scalar/api-reference', 'vue'])
    expect(names).toContain(name)
  for (const name of ['typescript', 'playwright-core', '@biomejs/biome', 'knip'])
    expect(names).not.toContain(name)
})

test('each notice contains its license text, and that of Bun includes its components', async () => {
  const notices = await readNotices()
  for (const { packages, license, text } of notices) {
    expect(packages.length).toBeGreaterThan(0)
    expect([packages[0], text.length > 300, license !== '']).toEqual([packages[0], true, true])
  }
  const { text } = notices.find(({ packages }) => packages[0]!.startsWith('Bun '))!
  for (const part of ['JavaScriptCore', 'boringssl', 'GNU LESSER GENERAL PUBLIC LICENSE'])
    expect(text).toContain(part)
  const inter = notices.find(({ packages }) => packages.join().includes('@fontsource'))!
  expect(inter.text).toContain('SIL OPEN FONT LICENSE')
})

test('cork licenses prints the notices as text', async () => {
  const { out, err, code } = await cork(['licenses'])
  expect([err, code]).toEqual(['', 0])
  expect(out).toStartWith(`cork ${pkg.version} contains the following third-party software.`)
  expect(out).toContain(`\nelysia ${pkg.dependencies.elysia}\n`)
})

test('notices are derived from the paths of the bundled modules', () => {
  const names = noticesOf(['src/main.ts', 'node_modules/react/index.js']).map(
    ({ packages }) => packages[0]!.split(' ')[0],
  )
  expect(names).toEqual(['Bun', 'react'])
})
