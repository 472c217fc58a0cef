import { swagger } from '@elysiajs/swagger'
import { type AnyElysia, Elysia } from 'elysia'
import { components } from './components.ts'
import EXAMPLES from './examples.json' with { type: 'json' }
import { nameSchemas, type Route } from './schemas.ts'
import { type WebhookEvents, webhooksOf } from './webhooks.ts'

type Operations = Record<string, { summary?: string; tags?: string[] }>
export interface OpenApi {
  openapi: string
  info: object
  paths: Record<string, Operations>
  /** Requests that the server sends. */
  webhooks?: Record<string, Operations>
  components?: object
  tags?: { name: string }[]
}

const INFO = {
  title: 'Corkboard',
  license: { name: 'MIT', identifier: 'MIT' },
}

const descriptionOf = (basePath: string) =>
  `The task board that people and AI agents share. The same operations are tools at \`${basePath}/mcp\`; \`${basePath}/llms.txt\` explains how to connect, and [the manual](${basePath}/docs/manual) how to use everything.`

interface DocumentOptions {
  version: string
  /** The path that the server is at; empty for none. */
  basePath: string
  events: WebhookEvents
}

/**
 * Builds the document of all routes that have a description. The plugin's own page would load its
 * viewer from another host, so the plugin runs in an app that is never served. Its routes are
 * copied one by one, because an app that uses another app takes over its server.
 */
export async function documentOf(
  app: AnyElysia,
  { version, basePath, events }: DocumentOptions,
): Promise<OpenApi> {
  const documentation = {
    openapi: '3.1.0',
    info: { ...INFO, description: descriptionOf(basePath), version },
    servers: [{ url: basePath || '/' }],
    components,
  }
  const documentApp = new Elysia().use(
    swagger({
      path: '/page',
      specPath: '/document',
      excludeStaticFile: false,
      documentation: documentation as never,
    }),
  )
  for (const { method, path, hooks } of app.routes)
    documentApp.route(method, path, () => '', { detail: detailOf(hooks?.detail) })
  const answer = await documentApp.handle(new Request('http://localhost/document'))
  const document = (await answer.json()) as OpenApi & { components: { schemas: object } }
  document.paths = documentedPaths(document.paths)
  // The plugin adds Elysia's models. There are none, so the schemas are replaced by ours.
  const webhooks = webhooksOf(events)
  const named = nameSchemas(
    [...routesIn(document.paths), ...routesIn(webhooks)],
    Object.keys(components.schemas),
  )
  for (const [name, example] of Object.entries(EXAMPLES))
    if (named[name]) named[name].examples = [example]
  document.components.schemas = { ...components.schemas, ...named }
  const tags = tagsOf(document.paths)
  nameTags(
    document.paths,
    tags.map(({ name }) => name),
  )
  return { ...document, webhooks, tags } as OpenApi
}

const detailOf = (detail: object | (() => object) | undefined) =>
  (typeof detail === 'function' ? detail() : detail) as never

/** Keeps the routes with a summary. The others are forms, assets and fallbacks, and no API. */
function documentedPaths(paths: Record<string, Operations>): Record<string, Operations> {
  const documented: Record<string, Operations> = {}
  for (const [path, operations] of Object.entries(paths)) {
    const documentedOperations = Object.entries(operations).filter(([, { summary }]) => summary)
    if (documentedOperations.length) documented[path] = Object.fromEntries(documentedOperations)
  }
  return documented
}

const routesIn = (paths: object): Route[] =>
  Object.values(paths).flatMap((path) =>
    Object.entries<Route['operation']>(path).map(([method, operation]) => ({ method, operation })),
  )

/** The routes of this document accept its tags, which are known only now. */
function nameTags(paths: OpenApi['paths'], names: readonly string[]) {
  for (const { get } of Object.values(paths) as { get?: Tagged }[])
    if (get?.operationId.startsWith('system.document'))
      for (const { name, schema } of get.parameters ?? [])
        if (name === 'tags') schema.items = { type: 'string', enum: names }
}

interface Tagged {
  operationId: string
  parameters?: { name: string; schema: { items?: object } }[]
}

/** The tags in the order of the routes, with `system` last. */
function tagsOf(paths: Record<string, Operations>) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const names = new Set(operations.flatMap(({ tags = [] }) => tags))
  const last = names.delete('system') ? ['system'] : []
  return [...names, ...last].map((name) => ({ name }))
}
