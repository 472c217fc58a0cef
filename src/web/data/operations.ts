import { catalog } from '../../catalog.ts'
import { type AnyOperation, toArray } from '../../kernel/operation.ts'

type Dependency = NonNullable<AnyOperation['dependsOn']>[number]

/**
 * The REST route of each operation, relative to `/api/v1/`, and after a `|`, the changes that
 * make its response stale: `kind`, or `kind@subject`, or `@subject` for changes of any kind. For a
 * list, a `+` precedes them. Runs at build time, so the app ships only a table.
 */
export const operations = (): Record<string, string> =>
  Object.fromEntries(
    (catalog as readonly AnyOperation[]).flatMap((op) => {
      const [route] = toArray(op.on.rest)
      return route ? [[op.name, route.replace(' /api/v1/', ' ') + dependenciesOf(op)]] : []
    }),
  )

const dependenciesOf = ({ dependsOn = [], output }: AnyOperation) =>
  dependsOn.length ? `|${output.list ? '+' : ''}${dependsOn.flatMap(encode).join(' ')}` : ''

const encode = (dependency: Dependency) =>
  typeof dependency === 'string'
    ? dependency
    : (dependency.changes ?? ['']).map((kind) => `${kind}@${dependency.about}`)
