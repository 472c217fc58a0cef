import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { readSidebar, Sidebar, writeSidebar } from '../model/index.ts'

export const get = operation({
  name: 'sidebar.get',
  summary: 'What you have pinned to the sidebar of the app, in its order',
  needs: 'profile:read',
  dependsOn: ['sidebar', 'page'],
  on: { rest: 'GET /api/v1/user/sidebar' },
  input: t.Object({}),
  output: Sidebar,
  run: async (_, ctx) => readSidebar(ctx),
})

export const update = operation({
  name: 'sidebar.update',
  summary: 'Replace what is pinned to the sidebar of the app',
  needs: 'profile:write',
  on: { rest: 'PATCH /api/v1/user/sidebar' },
  input: t.Object({
    entries: Sidebar.properties.entries,
    if_version: t.Integer({
      ...{ minimum: 0, maximum: 2_147_483_647 },
      description: 'The version that this replaces; 0 for none',
    }),
  }),
  output: Sidebar,
  run: async (input, ctx) => writeSidebar(ctx, input),
})
