import { refusals, TASK } from '../openapi-parts.ts'

const binary = { schema: { type: 'string', format: 'binary' } }
const tags = ['attachments']
const security = [{ bearer: [] }, { session: [] }]

/** The descriptions of these routes in the OpenAPI document. */
export const detail = {
  download: {
    operationId: 'attachments.download',
    summary: 'Download a file',
    description:
      'Browsers may show images; everything else is sent as a download. Supports `Range`, `If-Range`, `If-None-Match` and HEAD.',
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
        description: 'Byte range, such as bytes=0-1023',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'The whole file', content: { '*/*': binary } },
      206: { description: 'The requested range', content: { '*/*': binary } },
      304: { description: 'Not modified: If-None-Match matches' },
      416: { description: 'The requested range is beyond the end of the file' },
      ...refusals(),
    },
  },
  avatar: {
    operationId: 'avatars.download',
    summary: 'Download the uploaded picture of a person or an agent',
    description: 'Only for members of a team with them. The version changes with the picture.',
    tags: ['avatars'],
    security,
    parameters: [
      {
        name: 'actor',
        in: 'path',
        required: true,
        description: 'Id of a user, or UUID of an agent',
        schema: { type: 'string' },
      },
      { name: 'version', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      200: { description: 'The picture', content: { 'image/*': binary } },
      206: { description: 'The requested range', content: { 'image/*': binary } },
      304: { description: 'Not modified: If-None-Match matches' },
      416: { description: 'The requested range is beyond the end of the file' },
      ...refusals(),
    },
  },
  upload: {
    operationId: 'attachments.upload',
    summary: 'Upload files to a task or comment',
    description: 'Up to 10 files and 15 MB in total. Needs the scope `tasks:write`.',
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
                description: 'Id of one of your comments on that task',
              },
            },
          },
        },
      },
    },
    responses: {
      201: {
        description: 'Created, same response as POST /api/v1/tasks/{task}/attachments',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...refusals(413, 415),
    },
  },
}
