import { ImportApiError } from '../../../import/api.ts'
import { previewPlan } from '../../../import/mapping.ts'
import type { Sources } from '../../../import/open.ts'
import { type Plan, planImport } from '../../../import/plan.ts'
import { ImportProblem } from '../../../import/problem.ts'
import type { Source, SourceFile } from '../../../import/source.ts'
import { SOURCES } from '../../../import/sources/index.ts'
import { Client } from '../client.ts'
import { CommandError, UsageError } from '../command.ts'
import { accountOf } from '../logins.ts'
import { progress } from '../progress.ts'
import { progressStream } from './bar.ts'
import { chooseMapping, writeMapping } from './choose-mapping.ts'
import type { ImportContext } from './context.ts'
import { withEarlierColumns, withNamedColumns } from './csv-columns.ts'
import { openPaths } from './open-paths.ts'
import { restApi } from './rest-api.ts'
import { send } from './send.ts'
import { type Proposal, planText } from './show-plan.ts'
import { targetOf } from './target.ts'

type Options = Pick<ImportContext, 'catalog' | 'io' | 'values'> & {
  /** Files, or one folder or address. */
  paths: readonly string[]
  /** Tests replace them. */
  sources?: Sources
}

/** Imports files of another product, as the person who signed in to the server. */
export async function importFiles({ paths, sources = SOURCES, ...others }: Options) {
  const { io } = others
  const stream = progressStream(io)
  const context: ImportContext = { ...others, sources, stream, client: new Client(io) }
  try {
    return await run(paths, context)
  } catch (error) {
    if (error instanceof ImportProblem) throw new CommandError(error.message)
    if (!(error instanceof ImportApiError)) throw error
    // The refusal of the server, if there was one, which --json prints as it is.
    throw error.cause ?? new CommandError(error.message)
  }
}

async function run(paths: readonly string[], context: ImportContext): Promise<number> {
  const { io, values, client, catalog } = context
  const api = restApi(client, catalog)
  const { source: opened, files } = await openPaths(paths, context)
  let source = await withNamedColumns(opened, values)
  let plan = await planWithProgress(source, files, context)
  const isSignedIn = accountOf(io).token !== undefined
  const isDryRun = values['dry-run'] !== undefined
  const target = isDryRun && !isSignedIn ? undefined : await targetOf(context)
  let preview = target && (await previewPlan(api, plan, target.team_id))
  const earlier = preview && (await withEarlierColumns(source, preview))
  if (target && earlier && earlier !== source) {
    source = earlier
    plan = await planWithProgress(source, files, context)
    preview = await previewPlan(api, plan, target.team_id)
  }
  const mapping = await chooseMapping(context, plan, preview, target?.project_id)
  const proposal = { plan, mapping, preview }
  if (isDryRun) show(context, proposal)
  if (values['write-mapping'] !== undefined) return writeMapping(context, mapping)
  if (isDryRun) return 0
  if (await isConfirmed(context, proposal))
    return send(context, { source, files, plan, mapping, api, team_id: target!.team_id })
  io.err('Nothing was imported.')
  return 1
}

async function planWithProgress(
  source: Source,
  files: readonly SourceFile[],
  { stream }: ImportContext,
): Promise<Plan> {
  const bar = progress(`Reading ${source.title}`, undefined, stream)
  const plan = await planImport(source, files, (records) => bar.at(records))
  bar.end(`${plan.counts.task} tasks`)
  return plan
}

function show({ io, values }: ImportContext, proposal: Proposal): void {
  io.out(values.json === undefined ? planText(proposal, io.screen) : JSON.stringify(proposal))
  if (!proposal.preview) io.err('Sign in with "cork login" to see which people are members.')
}

async function isConfirmed(context: ImportContext, proposal: Proposal): Promise<boolean> {
  const { io, values, client } = context
  if (values.yes !== undefined) return true
  if (!io.ask || values.json !== undefined) {
    if (values.mapping !== undefined) return true
    throw new UsageError(
      'Look at the plan with --dry-run, then confirm the import with --yes or --mapping FILE',
    )
  }
  io.err(planText(proposal, io.screen))
  const answer = await io.ask(
    `\nImport ${proposal.plan.counts.task} tasks to ${client.url}? (y/N) `,
  )
  return /^y(es)?$/i.test(answer)
}
