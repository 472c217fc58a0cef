import { Fault } from './fault.ts'
import { type OperationDescription, toArray } from './operation.ts'

const ROUTE = /(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/{}-]+)(?=( \{")?)/g
const ACTION = /(svc_\w+) (\w+)(?=( \{")?)/g
const TWICE = /([^\s,;:][^,;:]*), or \1(?!\w)/g

/** The name of an operation for the callers of a surface; undefined if it is not there. */
type NameOf<Op> = (op: Op, hasBody: boolean) => string | undefined

/** Rewrites the routes and tool actions that a text names, so that its reader can call them. */
export function nameCalls<Op extends Pick<OperationDescription, 'on'>>(
  text: string,
  catalog: readonly Op[],
  nameOf: NameOf<Op>,
): string {
  if (!/svc_|\/api\//.test(text)) return text
  const rename = (found: string, op: Op | undefined, body: unknown) =>
    (op && nameOf(op, body !== undefined)) ?? found
  const byRoute = (route: string) =>
    catalog.find(({ on }) => toArray(on.rest).some((known) => shapeOf(known) === shapeOf(route)))
  const byAction = (action: string) =>
    catalog.find(({ on }) => toArray(on.mcp).some((known) => known === action))
  return text
    .replace(ROUTE, (route, _method, _path, body) => rename(route, byRoute(route), body))
    .replace(ACTION, (action, tool, verb, body) =>
      rename(action, byAction(`${tool}.${verb}`), body),
    )
    .replace(TWICE, '$1')
}

const shapeOf = (route: string) => route.replace(/:\w+|\{\w+\}/g, '*')

/** Rewrites the calls that the message and the hint of a fault name. */
export function nameCallsIn<Op extends Pick<OperationDescription, 'on'>>(
  fault: Fault,
  catalog: readonly Op[],
  nameOf: NameOf<Op>,
): Fault {
  const { code, message, details, hint, cause } = fault
  const rename = (text: string) => nameCalls(text, catalog, nameOf)
  const renamed = new Fault(code, rename(message), details, hint && rename(hint))
  return Object.assign(renamed, cause !== undefined && { cause })
}

/** A route as people write it: `GET /api/v1/tasks/{task}`. */
export const routeName: NameOf<Pick<OperationDescription, 'on'>> = ({ on }, hasBody) => {
  const routes = toArray(on.rest)
  const writing = hasBody ? routes.find((route) => !route.startsWith('GET')) : undefined
  return (writing ?? routes[0])?.replace(/:(\w+)/g, '{$1}')
}

/** A tool and its action: `svc_tasks list`. */
export const actionName: NameOf<Pick<OperationDescription, 'on'>> = ({ on }) =>
  toArray(on.mcp)
    .find((name) => name.includes('.'))
    ?.replace('.', ' ')
