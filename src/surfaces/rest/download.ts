import type { AnyOperation } from '../../kernel/operation.ts'

/** The field of a result that is sent as a file if it is set. */
export interface Download {
  field: string
  type: string
  filename: string
}

export const downloadOf = ({ output }: AnyOperation): Download | undefined => output.download

/** The file of a result, unless the client asks for JSON. So a plain link saves the file. */
export function downloadResponse(
  op: AnyOperation,
  answer: { readonly data: unknown },
  request: Request,
): Response | undefined {
  const download = downloadOf(op)
  if (!download || request.headers.get('accept')?.includes('json')) return undefined
  const text = (answer.data as Record<string, unknown>)[download.field]
  if (typeof text !== 'string') return undefined
  return new Response(text, {
    headers: {
      'content-type': `${download.type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${download.filename}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}
