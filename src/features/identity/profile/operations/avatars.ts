import { Type as t } from '@sinclair/typebox'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { receiveFiles } from '../../../tasks/files/model/index.ts'
import { UserId } from '../../people/model/index.ts'
import { checkPicture } from '../model/image.ts'
import { avatarsOfTeams, findPicture, ME, setPicture } from '../model/pictures.ts'

const Version = t.String({ pattern: '^[0-9a-f]{16}$', maxLength: 16 })
const Subject = t.String({
  pattern: '^(me|[0-9a-fA-F-]{36})$',
  maxLength: 36,
  description: 'me, or the UUID of an agent that you manage',
})
const Receipt = t.Object({ actor: t.String(), version: t.Union([Version, t.Null()]) })
const scopeFor = ({ actor }: { actor: string }) => (actor === ME ? undefined : 'agents:manage')

export const versions = operation({
  name: 'avatars.versions',
  summary: 'Versions of the uploaded pictures of everyone in your teams',
  needs: 'profile:read',
  dependsOn: ['profile', 'member', 'agent'],
  on: { rest: 'GET /api/v1/avatars' },
  input: t.Object({}),
  output: t.Object({
    avatars: t.Array(
      t.Object({
        user_id: t.Optional(UserId),
        agent_id: t.Optional(t.String({ description: 'UUID' })),
        version: Version,
      }),
    ),
  }),
  run: async (_, ctx) => ({ avatars: await avatarsOfTeams(ctx) }),
})

/** For the route that serves the bytes. */
export const picture = operation({
  name: 'avatars.get',
  summary: 'An uploaded picture of somebody in your teams',
  needs: 'profile:read',
  dependsOn: ['profile', 'member', 'agent'],
  on: {},
  input: t.Object({ actor: t.String({ maxLength: 36 }), version: t.String({ maxLength: 64 }) }),
  output: t.Object({
    filename: t.String(),
    content_type: t.String(),
    size: t.Integer(),
    sha256: t.String(),
  }),
  async run({ actor, version }, ctx) {
    const { sha256, type, size } = await findPicture(ctx, actor, version)
    return { filename: `avatar.${type}`, content_type: `image/${type}`, size, sha256 }
  },
})

export const update = operation({
  name: 'avatars.update',
  summary: 'Upload your picture, or that of an agent you manage',
  needs: 'profile:write',
  elevatedScope: scopeFor,
  on: { rest: 'PUT /api/v1/avatars/:actor' },
  input: t.Object({
    actor: Subject,
    data: t.String({
      ...{ minLength: 1, maxLength: 140_000 },
      description: 'A square PNG or WebP image of at most 512 pixels and 100 KB, in base64',
    }),
  }),
  output: Receipt,
  async prepare({ data }, request) {
    const type = checkPicture(decodeBase64(data))
    const file = { filename: `avatar.${type}`, content_type: `image/${type}`, data }
    const [stored] = await receiveFiles(request, [file], 'data')
    return { sha256: stored!.sha256, size: stored!.size, type }
  },
  run: ({ actor }, ctx, stored) => setPicture(ctx, actor, stored),
})

export const remove = operation({
  name: 'avatars.delete',
  summary: 'Remove your picture, or that of an agent you manage',
  needs: 'profile:write',
  elevatedScope: scopeFor,
  destroys: true,
  on: { rest: 'DELETE /api/v1/avatars/:actor' },
  input: t.Object({ actor: Subject }),
  output: Receipt,
  run: ({ actor }, ctx) => setPicture(ctx, actor, null),
})

function decodeBase64(data: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(data, { lastChunkHandling: 'strict' })
  } catch {
    throw fault.invalid('data', 'invalid_format', 'data is not base64')
  }
}
