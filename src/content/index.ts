import type { Ask, Context } from '../kernel/caller.ts'
import type { TextTask } from '../kernel/outside.ts'
import type { Cleaned, Content, Converter, Format } from './content.ts'
import { keyOf } from './pool/index.ts'
import type { CleanedWithWords } from './tasks.ts'
import { rememberWords } from './words.ts'

export type { Cleaned, Converter, Format } from './content.ts'
export { MOST_PARTS, partsIn } from './parts.ts'
export { type Block, blocksOf, briefly } from './plain.ts'
export { Pool, textWork } from './pool/index.ts'
export { plainOf, proseOf, readWords, snippetOf } from './words.ts'

let loading: Promise<Converter> | undefined

/** For a process that serves nobody while it converts. The libraries are loaded once. */
export function loadConverter(): Promise<Converter> {
  loading ??= import('./convert.ts').then(({ converter }) => converter)
  return loading
}

/** The caller who pays for a conversion, and the process that runs it. */
export type Owner = Pick<Ask, 'caller' | 'server'>
/** The same within a transaction. */
export type Resolver = Pick<Context, 'caller' | 'server' | 'resolve'>

const run = ({ caller, server }: Owner, task: TextTask) => server.texts.run(caller.credential, task)

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

/** Converts texts for the credential of the caller, in a thread of its own. */
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
export function resolved<T>(ctx: Resolver, task: TextTask): T {
  const known = ctx.server.texts.known(task)
  return (known ?? ctx.resolve(keyOf(task), () => run(ctx, task))) as T
}

export const cleanedIn = (ctx: Resolver, text: string, format: Format, field?: string): Cleaned =>
  withoutWords(resolved(ctx, cleaning(text, format, field)))

export const convertedIn = (
  ctx: Resolver,
  to: Format,
  text: string,
  from: Format,
  field?: string,
): string => resolved(ctx, conversion(to, text, from, field))

export interface Stored {
  text: string
  format: Format
}

/** Texts that a transaction read, each as a result of its own: one may fail. */
export function allConvertedIn(
  ctx: Resolver,
  to: Format,
  texts: readonly Stored[],
  field?: string,
): PromiseSettledResult<string>[] {
  const tasks = texts.map(({ text, format }) => conversion(to, text, format, field))
  const found = tasks.map((task) => ctx.server.texts.known(task) as string | undefined)
  if (found.every((value) => value !== undefined))
    return found.map((value) => ({ status: 'fulfilled', value }))
  return ctx.resolve(tasks.map(keyOf).join(), async () => {
    const results: PromiseSettledResult<string>[] = []
    // One after the other: a long list takes one place in the queue.
    for (const task of tasks)
      results.push(...(await Promise.allSettled([run(ctx, task) as Promise<string>])))
    return results
  })
}
