import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { sizeSuffix } from '../parts/image-size.ts'
import type { Code } from './coding.ts'
import { contentOf, upload } from './upload.ts'

const MARK = /!\[Uploading [^\]]* …\]\(\d*\)\n?/g

/** A text as it is kept: a file that is still on its way will not arrive in it after a reload. */
export const withoutMarks = (text: string) => text.replace(MARK, '')

let next = 1

/** Puts a mark where a file goes, and the file when it is there. */
export function useUploads(task_id: number, code: RefObject<Code | undefined>) {
  const [shares, setShares] = useState<ReadonlyMap<number, number>>(new Map())
  const one = async (file: File) => {
    const id = next++
    const name = (file.name || 'image.png').replace(/[[\]]/g, '')
    const mark = `![Uploading ${name} …](${id})`
    // Whoever sees the file in the text may send it.
    const drop = () =>
      flushSync(() => setShares((some) => new Map([...some].filter(([other]) => other !== id))))
    const tell = (share: number) => setShares((some) => new Map(some).set(id, share))
    code.current?.insert(mark)
    tell(0)
    try {
      const made = await upload(task_id, file, tell)
      const isShown = made.content_type.startsWith('image/')
      const size = isShown ? await sizeSuffix(file) : ''
      drop()
      code.current?.replace(mark, `${isShown ? '!' : ''}[${name}](${contentOf(made)}${size})`)
    } catch (error) {
      drop()
      code.current?.replace(mark, '')
      complain(`${name} was not uploaded. ${wordsOf(error)}`)
    }
  }
  const onFiles = (files: readonly File[]) => {
    for (const file of files) void one(file)
  }
  const all = [...shares.values()]
  const loading = all.length ? all.reduce((sum, share) => sum + share, 0) / all.length : undefined
  return { loading, onFiles }
}
