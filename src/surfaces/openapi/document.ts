import { swagger } from '@elysiajs/swagger'
import { type AnyElysia, Elysia } from 'elysia'
import { components } from './components.ts'
import { type Told, webhooksOf } from './webhooks.ts'

type Operations = Record<string, { summary?: string; tags?: string[] }>
export interface OpenApi {
  openapi: string
  info: object
  paths: Record<string, Operations>
  /** What the server sends by itself. */
  webhooks?: Record<string, Operations>
}

const INFO = {
  title: 'Corkboard',
  description:
    'The task board that people and AI agents share. The same operations are tools at `/mcp`; `/llms.txt` says how to connect, and [the manual](/docs/manual) how everything is used.',
  license: { name: 'MIT', identifier: 'MIT' },
}

/**
 * The document of every route that describes itself. The plugin's own page would load its viewer
 * from another host, so the plugin lives in an app that is never served, and only writes. It gets
 * the routes one by one: an app that uses another takes its server away from it.
 */
export async function documentOf(app: AnyElysia, version: string, told: Told): Promise<OpenApi> {
  const documentation = {
    openapi: '3.1.0',
    info: { ...INFO, version },
    servers: [{ url: '/' }],
    components,
  }
  const writer = new Elysia().use(
    swagger({
      path: '/page',
      specPath: '/document',
      excludeStaticFile: false,
      documentation: documentation as never,
    }),
  )
  for (const { method, path, hooks } of app.routes)
    writer.route(method, path, () => '', { detail: toldBy(hooks?.detail) })
  const answer = await writer.handle(new Request('http://localhost/document'))
  const document = (await answer.json()) as OpenApi & { components: { schemas: object } }
  document.paths = described(document.paths)
  // The plugin lets Elysia's own models stand beside these; there are none.
  document.components.schemas = components.schemas
  return { ...document, webhooks: webhooksOf(told), tags: tagsOf(document.paths) } as OpenApi
}

const toldBy = (detail: object | (() => object) | undefined) =>
  (typeof detail === 'function' ? detail() : detail) as never

/** A route without a summary is a form, an asset or a fallback, and no part of the interface. */
function described(paths: Record<string, Operations>): Record<string, Operations> {
  const kept: Record<string, Operations> = {}
  for (const [path, operations] of Object.entries(paths)) {
    const told = Object.entries(operations).filter(([, { summary }]) => summary)
    if (told.length) kept[path] = Object.fromEntries(told)
  }
  return kept
}

/** In the order of the routes, but what only operators ask for comes last. */
function tagsOf(paths: Record<string, Operations>) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const names = new Set(operations.flatMap(({ tags = [] }) => tags))
  const last = names.delete('system') ? ['system'] : []
  return [...names, ...last].map((name) => ({ name }))
}
