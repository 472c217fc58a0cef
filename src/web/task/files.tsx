import { useState } from 'react'
import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { readAgain, type Task } from './data.ts'
import { isGone, later, notGone } from './later.ts'
import { Part } from './part.tsx'
import { contentOf, upload } from './upload.ts'

type Rows = Output<'attachments.list'>
type File_ = Rows['items'][number]

/** Files of the task and of what was said about it; dropped here, a file becomes one of them. */
export function Files({ task, asked }: { task: Task; asked: boolean }) {
  const { task_id } = task
  const list = useAsk('attachments.list', { task_id, limit: 50 })
  const { data } = list
  const files = (data?.items ?? []).filter((one) => !isGone(`file ${one.attachment_id}`))
  const { share, send } = useSend(task_id)
  const remove = useRemove(task_id)
  if (!files.length && !asked) return <LoadError of={list} what="attachments" />
  return (
    <Part
      title="Attachments"
      count={files.length ? String(files.length) : ''}
      end={<Choose onFiles={send} />}
      asked={asked}
    >
      <section
        aria-label="Files"
        className="files"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void send([...event.dataTransfer.files])
        }}
      >
        <LoadError of={list} what="attachments" />
        <ul>
          {files.map((file) => (
            <Tile key={file.attachment_id} file={file} onRemove={remove} />
          ))}
        </ul>
        {share !== undefined && <progress className="share" value={share} aria-label="Uploading" />}
        {data && !files.length && share === undefined && (
          <p className="soft">Drop files here, or paste pictures while you write.</p>
        )}
      </section>
    </Part>
  )
}

const Choose = ({ onFiles }: { onFiles(files: Iterable<File>): void }) => (
  <label className="button quiet attach">
    <Icon name="plus" />
    <span className="unseen">Attach a file</span>
    <input
      type="file"
      className="unseen"
      multiple
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }}
    />
  </label>
)

/** One after the other, with how far the one on its way has come. */
function useSend(task_id: number) {
  const [share, setShare] = useState<number>()
  const send = async (some: Iterable<File>) => {
    for (const file of some)
      try {
        await upload(task_id, file, setShare)
      } catch (error) {
        complain(`${file.name} was not uploaded. ${wordsOf(error)}`)
      }
    setShare(undefined)
  }
  return { share, send }
}

/** A picture shows itself; other files say of what kind they are. */
function Tile({ file, onRemove }: { file: File_; onRemove(file: File_): void }) {
  const { filename, content_type, created_by, created_at } = file
  const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(content_type)
  const about = `${filename}, ${sizeOf(file.size)}, ${created_by.name}, ${agoWords(created_at).full}`
  return (
    <li className="file">
      <a href={contentOf(file)} target="_blank" rel="noopener" title={about} download={!isPicture}>
        {isPicture ? (
          <img src={contentOf(file)} alt="" loading="lazy" />
        ) : (
          <span className="sort">{sortOf(filename)}</span>
        )}
        <span className="name">{filename}</span>
        <span className="soft tabular">{sizeOf(file.size)}</span>
      </a>
      <button type="button" className="button quiet only" onClick={() => onRemove(file)}>
        <Icon name="trash" label={`Delete ${filename}`} />
      </button>
    </li>
  )
}

const sortOf = (name: string) => (name.includes('.') ? name.split('.').at(-1)! : 'file').slice(0, 4)

const UNITS = ['B', 'kB', 'MB'] as const
function sizeOf(bytes: number): string {
  const at = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  return `${(bytes / 1000 ** at).toFixed(at && bytes / 1000 ** at < 10 ? 1 : 0)} ${UNITS[at]}`
}

/** For good, so it is done only once it cannot be undone any more. */
function useRemove(task_id: number) {
  const key = keyOf('attachments.list', { task_id, limit: 50 })
  const again = () => void cache.invalidateQueries({ queryKey: key })
  const { act } = useAct('attachments.delete', {
    done: () => readAgain(task_id),
    failed(error, { attachment_id }) {
      notGone(`file ${attachment_id}`)
      again()
      complain(wordsOf(error))
    },
  })
  return ({ attachment_id, filename }: File_) => {
    later({
      what: `file ${attachment_id}`,
      words: `Deleted ${filename}`,
      run: () => act({ attachment_id }),
      back: again,
    })
    cache.setQueryData<Rows>(
      key,
      (rows) =>
        rows && { ...rows, items: rows.items.filter((one) => one.attachment_id !== attachment_id) },
    )
  }
}
