import type { Caller } from '../../kernel/caller.ts'
import { type Dispatch, missingScope } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { fromClient } from '../body.ts'
import type { IncomingRequest, RequestContext } from '../gateway.ts'

const MAX_BYTES = 15 * 1024 * 1024
/** Allowed size of the form apart from its files. */
const FORM_OVERHEAD_BYTES = 64 * 1024
const MAX_FILES = 10

/** An uploaded file with the name and type that the sender gave. */
export interface UploadedFile {
  filename: string
  content_type: string
  bytes: Blob
}

/** Stores the bytes and returns what can be attached. */
export type Receive = (caller: Caller, uploads: readonly UploadedFile[]) => Promise<unknown[]>

interface Parts {
  dispatch: Dispatch
  attach: AnyOperation
  receive: Receive
}

/** Handles files that a browser form or `curl -F file=@…` sends. */
export async function upload(
  parts: Parts,
  context: RequestContext,
  { request, params }: IncomingRequest,
) {
  checkScope(context.caller!, parts.attach)
  const form = await readForm(request)
  const uploads = [...form.values()].flatMap((part) =>
    typeof part === 'string' ? [] : [toUpload(part as File)],
  )
  const input = { ...taskAddress(params!.task!), ...formFields(form) }
  checkFiles(uploads)
  const files = await parts.receive(context.caller!, uploads)
  const key = request.headers.get('idempotency-key') ?? undefined
  const answer = await parts.dispatch(context.caller!, parts.attach, { ...input, files }, key)
  context.status = 201
  if (answer.replayed) context.headers['idempotent-replayed'] = 'true'
  return { success: true, data: answer.data }
}

/** Checks the scope before the body is read. The operation checks access to the task. */
function checkScope({ scopes }: Caller, { needs }: AnyOperation) {
  if (!scopes.has(needs)) throw missingScope(needs)
}

async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Fault(
      'unsupported_type',
      `The body must be multipart/form-data, not ${type || 'untyped'}`,
      {},
      'Send the file in a part named file; JSON goes to POST /api/v1/tasks/{task}/attachments',
    )
  const body = await fromClient(request, readBytes(request))
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch (error) {
    throw new Fault(
      'invalid',
      `The form cannot be read: ${(error as Error).message}`,
      { code: 'invalid_format' },
      'Let your HTTP library create the form and its boundary',
    )
  }
}

/** Reads the body up to the limit, whatever its Content-Length says. */
async function readBytes(request: Request): Promise<Blob> {
  const maxBytes = MAX_BYTES + FORM_OVERHEAD_BYTES
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return new Blob(chunks)
}

const toUpload = (file: File): UploadedFile => ({
  filename: file.name || 'file',
  content_type: file.type || 'application/octet-stream',
  bytes: file,
})

function checkFiles(uploads: readonly UploadedFile[]) {
  if (!uploads.length)
    throw fault.invalid('file', 'required', 'The form has no file', undefined, 'curl -F file=@…')
  if (uploads.length > MAX_FILES)
    throw fault.invalid('file', 'too_long', `A form can have at most ${MAX_FILES} files`)
  if (uploads.some(({ bytes }) => !bytes.size))
    throw fault.invalid('file', 'required', 'A file in the form is empty')
  if (uploads.reduce((sum, { bytes }) => sum + bytes.size, 0) > MAX_BYTES) throw tooLarge()
}

const tooLarge = () =>
  new Fault(
    'too_large',
    `A form can have at most ${MAX_BYTES} bytes of files`,
    { field: 'file', code: 'too_long' },
    'Send them one by one, or attach links to larger files',
  )

/** The other fields of the form. The operation refuses unknown ones. */
const formFields = (form: FormData) =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, /^\d{1,10}$/.test(value) ? Number(value) : value]] : [],
    ),
  )

/** The task in the path: an id if it is a number, otherwise a key. */
const taskAddress = (task: string) =>
  /^\d+$/.test(task) ? { task_id: Number(task) } : { ticket_number: task }
