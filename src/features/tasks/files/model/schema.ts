import { type Static, Type as t } from '@sinclair/typebox'
import { CONTENT_TYPE_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'

export const MAX_FILES = 10
/** Limits for all inline files of a call together, and for a single fetched or uploaded file. */
export const MAX_INLINE_BYTES = 3_145_728
export const MAX_FILE_BYTES = 15 * 1024 * 1024
export const MAX_NAME_LENGTH = 255

export const AttachmentId = Id('Id of an attachment')

const FileInput = t.Object(
  {
    filename: t.String({ minLength: 1, maxLength: 1000 }),
    content_type: t.String({
      ...{ minLength: 1, maxLength: 255, description: 'Such as image/png' },
      ...CONTENT_TYPE_FORMAT,
    }),
    data: t.Optional(
      t.String({ minLength: 1, maxLength: 4_400_000, description: 'The bytes in base64' }),
    ),
    url: t.Optional(t.String({ minLength: 1, maxLength: 2000, description: 'http or https' })),
    text: t.Optional(
      t.String({
        minLength: 1,
        maxLength: MAX_INLINE_BYTES,
        description: 'The file as plain text',
      }),
    ),
  },
  { additionalProperties: false, file: true },
)
export type FileInput = Static<typeof FileInput>

export const FileInputs = t.Array(FileInput, {
  maxItems: MAX_FILES,
  description: 'Files, each by data or text (3 MB in all) or by url (15 MB each)',
})

/** Files whose bytes are stored already. */
export const Uploads = t.Array(
  t.Object({
    filename: t.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }),
    content_type: t.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }),
    size: t.Integer({ minimum: 1, maximum: MAX_FILE_BYTES }),
    sha256: t.String({ minLength: 64, maxLength: 64 }),
  }),
  { minItems: 1, maxItems: MAX_FILES },
)

export const Attachment = t.Object(
  {
    attachment_id: AttachmentId,
    task_id: Id('Id of a task'),
    comment_id: t.Union([Id('Id of a comment'), t.Null()]),
    filename: t.String(),
    content_type: t.String(),
    size: t.Integer({ description: 'Bytes' }),
    sha256: t.String(),
    url: t.String({ description: 'Downloads it, with the same credential' }),
    created_by: Actor,
    created_at: Timestamp,
  },
  {
    columns: ['attachment_id', 'filename', 'content_type', 'size', 'url', 'comment_id'],
    omits: { task_id: 'the call names it', sha256: 'it only checks a download' },
  },
)
export type Attachment = Static<typeof Attachment>
