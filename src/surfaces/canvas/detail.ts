import { refusals } from '../openapi-parts.ts'

/** The description of this route in the OpenAPI document. */
export const detail = {
  operationId: 'pages.show_canvas',
  summary: 'Show the HTML canvas of a page in a browser',
  description:
    'Its scripts run in a sandbox without an origin, cookies or network access. Needs the scope `pages:read`.',
  tags: ['pages'],
  security: [{ bearer: [] }, { session: [] }],
  parameters: [
    {
      name: 'page_id',
      in: 'path',
      required: true,
      description: 'Number or public_id of a page',
      schema: { type: 'string', maxLength: 40 },
    },
  ],
  responses: {
    200: {
      description: 'An HTML document that shows the canvas',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    ...refusals(),
  },
}
