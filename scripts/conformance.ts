import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Tests a running MCP server with the official conformance suite, in all revisions that the suite
 * knows, and with the Inspector. The server must have no rate limits.
 *   bun scripts/conformance.ts http://127.0.0.1:3210 <token>
 */

const MODULES = join(import.meta.dir, '../node_modules/@modelcontextprotocol')
const SUITE = join(MODULES, 'conformance/dist/index.js')
const INSPECTOR = join(MODULES, 'inspector/clients/launcher/build/index.js')

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

const TOOL = 'calls a tool that only the reference server has'
const RESOURCE = 'reads a resource that only the reference server has'
const PROMPT = 'gets a prompt that only the reference server has'

/**
 * Scenarios that need something which only the suite's reference server has, and single checks of
 * other scenarios. An exception that no revision needs is an error.
 */
const EXCEPTIONS: Record<string, string> = {
  'logging-set-level': 'log messages for clients are optional, and deprecated since 2026-07-28',
  'server-session-lifecycle': 'there are no sessions, so the scenario checks nothing',
  'server-sse-polling': 'there are no sessions, so the scenario checks nothing',
  'server-sse-multiple-streams': 'there are no sessions, so in 2025 the scenario checks nothing',
  'completion-complete': PROMPT,
  'tools-call-simple-text': TOOL,
  'tools-call-image': TOOL,
  'tools-call-audio': TOOL,
  'tools-call-embedded-resource': TOOL,
  'tools-call-mixed-content': TOOL,
  'tools-call-error': TOOL,
  'tools-call-with-logging': TOOL,
  'tools-call-with-progress': TOOL,
  'tools-call-sampling': TOOL,
  'tools-call-elicitation': TOOL,
  'json-schema-2020-12': TOOL,
  'elicitation-sep1034-defaults': TOOL,
  'elicitation-sep1330-enums': TOOL,
  'resources-read-text': RESOURCE,
  'resources-read-binary': RESOURCE,
  'resources-templates-read': RESOURCE,
  'resources-subscribe': 'POST /mcp carries no updates before 2026-07-28; /sse does',
  'resources-unsubscribe': 'POST /mcp carries no updates before 2026-07-28; /sse does',
  'prompts-get-simple': PROMPT,
  'prompts-get-with-args': PROMPT,
  'prompts-get-embedded-resource': PROMPT,
  'prompts-get-with-image': PROMPT,
  'http-custom-header-server-validation': 'needs a tool with x-mcp-header parameters',
  'input-required-result-basic-elicitation': TOOL,
  'input-required-result-basic-sampling': TOOL,
  'input-required-result-basic-list-roots': TOOL,
  'input-required-result-request-state': TOOL,
  'input-required-result-multiple-input-requests': TOOL,
  'input-required-result-multi-round': TOOL,
  'input-required-result-ignore-extra-params': TOOL,
  'input-required-result-missing-input-response': TOOL,
  'input-required-result-non-tool-request': PROMPT,
  'input-required-result-result-type': TOOL,
  'input-required-result-tampered-state': TOOL,
  'input-required-result-capability-check': TOOL,
  'server-stateless sep-2575-server-rejects-undeclared-capability': TOOL,
  'server-stateless sep-2575-missing-capability-http-400': TOOL,
  'server-stateless sep-2575-http-server-no-independent-requests-on-stream': TOOL,
  'server-stateless sep-2575-server-no-log-without-loglevel': TOOL,
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
    const { method, signal } = request
    return fetch(base + pathname + search, { method, headers, body, signal })
  },
})

let failures = 0
function report(ok: boolean, name: string, details = '') {
  if (!ok) failures++
  console.log(`${ok ? 'pass' : 'FAIL'}  ${name}${ok || !details ? '' : `  ${details}`}`)
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

const usedExceptions = new Set<string>()

/** The suite checks each response against the schema of its revision. This has no exceptions. */
const WIRE = 'wire-schema-valid'

/** The reason why a failed check, or a scenario without any, is no failure. */
function exceptionFor(scenario: string, check: Check | undefined): string | undefined {
  if (check?.id === WIRE) return undefined
  const name = [scenario, `${scenario} ${check?.id}`].find((one) => EXCEPTIONS[one])
  if (name) usedExceptions.add(name)
  return name && EXCEPTIONS[name]
}

function reportScenario(revision: string, scenario: string, checks: readonly Check[]) {
  const name = `${revision} ${scenario}`
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const hasPassed = checks.some(({ id, status }) => status === 'SUCCESS' && id !== WIRE)
  const findings = failed.length ? failed : hasPassed ? [] : [undefined]
  const reasons = findings.map((check) => exceptionFor(scenario, check))
  const unexpected = findings.filter((_, index) => !reasons[index])
  if (unexpected.length || (hasPassed && !EXCEPTIONS[scenario]) || !findings.length)
    report(
      !unexpected.length,
      name,
      unexpected
        .map((check) => (check ? `${check.id}: ${check.errorMessage}` : 'checks nothing'))
        .join('; '),
    )
  else console.log(`-     ${name}  ${reasons[0]}`)
}

async function conformance(revision: string) {
  const folder = join(scratch, revision)
  const url = `http://127.0.0.1:${proxy.port}/mcp`
  const flags = ['--suite', 'all', '--spec-version', revision, '--output-dir', folder]
  const { out, errors } = await run(SUITE, 'server', '--url', url, ...flags)
  const results = await readdir(folder).catch(() => [])
  if (!results.length) report(false, `the suite in revision ${revision}`, errors || out)
  for (const result of results.toSorted()) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(result)?.[1] ?? result
    const checks: Check[] = await Bun.file(join(folder, result, 'checks.json')).json()
    reportScenario(revision, scenario, checks)
  }
}

async function inspector(path: string, ...args: string[]) {
  const { out, errors, ok } = await run(
    INSPECTOR,
    ...['--cli', base + path, '--header', `Authorization: ${authorization}`, ...args],
  )
  const name = `inspector ${path} ${args.at(1)}`
  try {
    const answer = JSON.parse(out)
    const rows = answer.tools ?? answer.prompts ?? answer.resources ?? answer.resourceTemplates
    report(ok && (rows?.length > 0 || answer.structuredContent?.success === true), name, out)
  } catch {
    report(false, name, errors || out)
  }
}

const hello = ['--tool-name', 'svc_user_context', '--tool-arg', 'action=hello']
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']
try {
  for (const revision of REVISIONS) await conformance(revision)
  for (const path of ['/mcp', '/sse']) {
    for (const method of LISTS) await inspector(path, '--method', method)
    await inspector(path, '--method', 'tools/call', ...hello)
  }
  for (const name of Object.keys(EXCEPTIONS))
    if (!usedExceptions.has(name)) report(false, `exception ${name}`, 'no longer needed')
} finally {
  await proxy.stop(true)
  await rm(scratch, { recursive: true, force: true })
}
console.log(failures ? `${failures} failed` : 'all applicable scenarios passed')
process.exit(failures ? 1 : 0)
