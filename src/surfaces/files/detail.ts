import { refusals, TASK } from '../openapi-parts.ts'

const binary = { schema: { type: 'string', format: 'binary' } }
const tags = ['attachments']
const security = [{ bearer: [] }, { session: [] }]

/** The descriptions of these routes in the OpenAPI document. */
export const detail = {
  download: {
    operationId: 'attachments.download',
    summary: 'The bytes of a file',
    description:
      'Pictures may be shown by a browser; everything else is a download. `Range`, `If-Range` and `If-None-Match` are understood, and HEAD.',
    tags,
    security,
    parameters: [
      {
        name: 'attachment_id',
        in: 'path',
        required: true,
        schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      },
      {
        name: 'Range',
        in: 'header',
        required: false,
        description: 'One part, such as bytes=0-1023',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'All of it', content: { '*/*': binary } },
      206: { description: 'The part asked for', content: { '*/*': binary } },
      304: { description: 'What If-None-Match names' },
      416: { description: 'The part asked for lies beyond its end' },
      ...refusals(),
    },
  },
  upload: {
    operationId: 'attachments.upload',
    summary: 'Put uploaded files on a task or a comment',
    description: 'Up to 10 files and 15 MB in all. Needs the scope `tasks:write`.',
    tags,
    security,
    parameters: [TASK, { $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              file: { type: 'array', minItems: 1, maxItems: 10, items: binary.schema },
              comment_id: {
                type: 'integer',
                minimum: 1,
                maximum: 2_147_483_647,
                description: 'A comment of your own on that task',
              },
            },
          },
        },
      },
    },
    responses: {
      201: {
        description: 'Made, as by POST /api/v1/tasks/{task}/attachments',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...refusals(413, 415),
    },
  },
}
