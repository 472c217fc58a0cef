import { fault } from '../../kernel/fault.ts'
import type { OpenApi } from './document.ts'

type Components = Record<string, Record<string, unknown>>

/** Leaves only the operations with these tags, and the components that they use. */
export function selectTags(document: OpenApi, tags: readonly string[]): OpenApi {
  const known = (document.tags ?? []).map(({ name }) => name)
  for (const tag of tags)
    if (!known.includes(tag))
      throw fault.invalid('tags', 'out_of_range', `tags must be among ${known.join(', ')}`, tag)
  const isSelected = (names: readonly string[] = []) => names.some((name) => tags.includes(name))
  const filter = (paths: OpenApi['paths'] = {}) =>
    Object.fromEntries(
      Object.entries(paths).flatMap(([path, operations]) => {
        const selected = Object.entries(operations).filter(([, one]) => isSelected(one.tags))
        return selected.length ? [[path, Object.fromEntries(selected)] as const] : []
      }),
    )
  const { paths, webhooks, tags: all, components, ...rest } = document
  const selected = { paths: filter(paths), ...(webhooks && { webhooks: filter(webhooks) }) }
  return {
    ...rest,
    ...selected,
    tags: all?.filter(({ name }) => tags.includes(name)),
    components: usedBy(selected, components as Components),
  }
}

/** The components that something refers to, directly or through others. */
function usedBy(part: unknown, { securitySchemes = {}, ...components }: Components): Components {
  const used: Components = { securitySchemes }
  const waiting = [part]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, kind = '', name = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      used[kind] ??= {}
      if (used[kind][name] !== undefined) continue
      used[kind][name] = components[kind]?.[name]
      waiting.push(used[kind][name])
    }
  return used
}

const REFERENCE = /"#\/components\/(\w+)\/(\w+)"/g
