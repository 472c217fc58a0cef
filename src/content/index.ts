import type { Context, RequestContext } from '../kernel/caller.ts'
import type { TextTask } from '../kernel/services.ts'
import type { Cleaned, Content, Converter, Format } from './content.ts'
import { keyOf } from './pool/index.ts'
import type { CleanedWithWords } from './tasks.ts'
import { rememberWords } from './words.ts'

export type { Cleaned, Converter, Format } from './content.ts'
export { MAX_PARTS, partCountOf } from './parts.ts'
export { type Block, blocksOf, truncate } from './plain.ts'
export { textTasksFor } from './pool/index.ts'
export { plainOf, proseOf, readWords, snippetOf } from './words.ts'

let loading: Promise<Converter> | undefined

/** Loads the converter into this thread, once. Only for processes that serve no requests meanwhile. */
export function loadConverter(): Promise<Converter> {
  loading ??= import('./convert.ts').then(({ converter }) => converter)
  return loading
}

/** The caller whose budget a conversion is charged to, and the process that runs it. */
export type Owner = Pick<RequestContext, 'caller' | 'server'>
/** The same within a transaction. */
export type Resolver = Pick<Context, 'caller' | 'server' | 'resolve'>

const run = ({ caller, server }: Owner, task: TextTask) =>
  server.textTasks.run(caller.credential, task)

const conversion = (to: Format, text: string, from: Format, field = 'text'): TextTask => ({
  name: to,
  args: [text, from],
  field,
})
const cleaning = (text: string, format: Format | undefined, field = 'text'): TextTask => ({
  name: 'clean',
  args: [text, format],
  field,
})

/** Converts texts in a worker, charged to the credential of the caller. */
export const contentFor = (owner: Owner): Content => ({
  clean: async (...text) => withoutWords((await run(owner, cleaning(...text))) as CleanedWithWords),
  html: async (...text) => (await run(owner, conversion('html', ...text))) as string,
  markdown: async (...text) => (await run(owner, conversion('markdown', ...text))) as string,
})

function withoutWords({ words, ...cleaned }: CleanedWithWords): Cleaned {
  rememberWords(cleaned.text, cleaned.format, words)
  return cleaned
}

/** The result of a task on a text that a transaction read; see `Context.resolve`. */
export function resolveTask<T>(ctx: Resolver, task: TextTask): T {
  const cached = ctx.server.textTasks.cachedResult(task)
  return (cached ?? ctx.resolve(keyOf(task), () => run(ctx, task))) as T
}

export const cleanInTransaction = (
  ctx: Resolver,
  text: string,
  format: Format,
  field?: string,
): Cleaned => withoutWords(resolveTask(ctx, cleaning(text, format, field)))

export const convertInTransaction = (
  ctx: Resolver,
  to: Format,
  text: string,
  from: Format,
  field?: string,
): string => resolveTask(ctx, conversion(to, text, from, field))

export interface Stored {
  text: string
  format: Format
}

/** Converts texts that a transaction read. Each has its own result, since any may fail. */
export function convertAllInTransaction(
  ctx: Resolver,
  to: Format,
  texts: readonly Stored[],
  field?: string,
): PromiseSettledResult<string>[] {
  const tasks = texts.map(({ text, format }) => conversion(to, text, format, field))
  const cached = tasks.map((task) => ctx.server.textTasks.cachedResult(task) as string | undefined)
  if (cached.every((value) => value !== undefined))
    return cached.map((value) => ({ status: 'fulfilled', value }))
  return ctx.resolve(tasks.map(keyOf).join(), async () => {
    const results: PromiseSettledResult<string>[] = []
    // One after the other: a long list takes one place in the queue.
    for (const task of tasks)
      results.push(...(await Promise.allSettled([run(ctx, task) as Promise<string>])))
    return results
  })
}
