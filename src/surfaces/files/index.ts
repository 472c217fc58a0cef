import { Elysia } from 'elysia'
import type { Dispatch } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { FileStore } from '../../kernel/services.ts'
import type { Gateway, IncomingRequest, RequestContext } from '../gateway.ts'
import { detail } from './detail.ts'
import { download, downloadAvatar, type Rules } from './download.ts'
import { type Receive, upload } from './upload.ts'

interface Parts {
  gateway: Gateway
  dispatch: Dispatch
  files: FileStore
  /** Returns the record of a file if the caller may see it. */
  get: AnyOperation
  /** Returns the record of the picture of a person or an agent. */
  picture: AnyOperation
  /** Attaches received files to a task. */
  attach: AnyOperation
  receive: Receive
  rules: Rules
}

type Handler = (context: RequestContext, incoming: IncomingRequest) => Promise<unknown>

/** Uploads and downloads of files, which JSON cannot carry. */
export function files(parts: Parts) {
  const { gateway } = parts
  const serve =
    (handle: Handler) =>
    ({ request, route, server, params }: IncomingRequest) => {
      const incoming = { request, route, server, ...(params && { params }) }
      return gateway.serve(incoming, 'bearer or cookie', (context) => handle(context, incoming))
    }
  const content = serve((context, incoming) => download(parts, context, incoming))
  const avatar = serve((context, incoming) => downloadAvatar(parts, context, incoming))
  const form = serve((context, incoming) => upload(parts, context, incoming))
  return new Elysia({ name: 'files' })
    .get('/api/v1/attachments/:attachment_id/content', content as never, {
      detail: detail.download as never,
    })
    .head('/api/v1/attachments/:attachment_id/content', content as never, {
      detail: { hide: true },
    })
    .get('/api/v1/avatars/:actor/:version', avatar as never, { detail: detail.avatar as never })
    .post('/api/v1/tasks/:task/attachments/upload', form as never, {
      parse: 'none',
      detail: detail.upload as never,
    })
}
