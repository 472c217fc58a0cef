import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Tests a running MCP server with the official conformance suite and the Inspector.
 *   bun scripts/conformance.ts http://127.0.0.1:3210 <token>
 */

const MODULES = join(import.meta.dir, '../node_modules/@modelcontextprotocol')
const SUITE = join(MODULES, 'conformance/dist/index.js')
const INSPECTOR = join(MODULES, 'inspector/clients/launcher/build/index.js')

const FIXTURE = 'calls a tool that only the reference server has'
const NO_PUSH = 'the server sends no requests to the client, and no progress'
const RESOURCES = 'tools only: there are no resources'
const PROMPTS = 'tools only: there are no prompts'

/** Scenarios that do not apply to a server with tools only, each with its reason. */
const NOT_APPLICABLE: Record<string, string> = {
  'logging-set-level': 'tools only: no log messages are sent to the client',
  'completion-complete': 'tools only: there is no completion',
  'tools-call-simple-text': FIXTURE,
  'tools-call-image': FIXTURE,
  'tools-call-audio': FIXTURE,
  'tools-call-embedded-resource': FIXTURE,
  'tools-call-mixed-content': FIXTURE,
  'tools-call-error': FIXTURE,
  'tools-call-with-logging': NO_PUSH,
  'tools-call-with-progress': NO_PUSH,
  'tools-call-sampling': NO_PUSH,
  'tools-call-elicitation': NO_PUSH,
  'elicitation-sep1034-defaults': NO_PUSH,
  'elicitation-sep1330-enums': NO_PUSH,
  'server-sse-multiple-streams': 'there are no sessions, so the scenario checks nothing',
  'resources-list': RESOURCES,
  'resources-read-text': RESOURCES,
  'resources-read-binary': RESOURCES,
  'resources-templates-read': RESOURCES,
  'resources-subscribe': RESOURCES,
  'resources-unsubscribe': RESOURCES,
  'prompts-list': PROMPTS,
  'prompts-get-simple': PROMPTS,
  'prompts-get-with-args': PROMPTS,
  'prompts-get-embedded-resource': PROMPTS,
  'prompts-get-with-image': PROMPTS,
}

const [base, token] = process.argv.slice(2)
if (!base || !token) {
  console.error('usage: bun scripts/conformance.ts <base-url> <token>')
  process.exit(2)
}
const scratch = await mkdtemp(join(tmpdir(), 'conformance-'))
const authorization = `Bearer ${token}`

async function run(...args: string[]) {
  const env = { ...process.env, MCP_CATALOG_PATH: join(scratch, 'catalog.json') }
  const child = Bun.spawn([process.execPath, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { out, errors, ok: (await child.exited) === 0 }
}

/** A proxy that adds the credential, because the suite cannot send one. */
const proxy = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    headers.set('authorization', authorization)
    const body = request.method === 'POST' ? await request.arrayBuffer() : undefined
    return fetch(base + pathname + search, { method: request.method, headers, body })
  },
})

let failures = 0
function report(ok: boolean, name: string, details = '') {
  if (!ok) failures++
  console.log(`${ok ? 'pass' : 'FAIL'}  ${name}${ok || !details ? '' : `  ${details}`}`)
}

async function conformance() {
  const url = `http://127.0.0.1:${proxy.port}/mcp`
  const { out, errors } = await run(SUITE, 'server', '--url', url, '--output-dir', scratch)
  const scenarios = [...out.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)]
  if (!scenarios.length) report(false, 'the conformance suite', errors || out)
  for (const [, name = '', passed, failed] of scenarios)
    if (NOT_APPLICABLE[name]) console.log(`-     ${name}  ${NOT_APPLICABLE[name]}`)
    else report(passed !== '0' && failed === '0', name, `${passed} passed, ${failed} failed`)
}

async function inspector(path: string, ...args: string[]) {
  const { out, errors, ok } = await run(
    INSPECTOR,
    ...['--cli', base + path, '--header', `Authorization: ${authorization}`, ...args],
  )
  const name = `inspector ${path} ${args.at(1)}`
  try {
    const answer = JSON.parse(out)
    report(
      ok && (answer.tools?.length > 0 || answer.structuredContent?.success === true),
      name,
      out,
    )
  } catch {
    report(false, name, errors || out)
  }
}

const hello = ['--tool-name', 'svc_user_context', '--tool-arg', 'action=hello']
try {
  await conformance()
  for (const path of ['/mcp', '/sse']) {
    await inspector(path, '--method', 'tools/list')
    await inspector(path, '--method', 'tools/call', ...hello)
  }
} finally {
  await proxy.stop(true)
  await rm(scratch, { recursive: true, force: true })
}
console.log(failures ? `${failures} failed` : 'all applicable scenarios passed')
process.exit(failures ? 1 : 0)
