import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** A page of the owner with two versions. */
const written = async ({ ada, tasks }: World) => {
  const { task_id } = tasks.logo
  const { page_id } = await ada['pages.create']({ task_id, content: '# Colours\n\nRed.' })
  await ada['pages.update']({ page_id, content: 'Or blue.', mode: 'append' })
  return { page_id }
}

const versioned = async (w: World) => {
  const { page_id } = await written(w)
  const { items } = await w.ada['pages.versions']({ page_id })
  return { page_id, version_id: items.at(-1)!.version_id }
}

const drawn = async ({ ada, tasks }: World) => {
  const content = '<!doctype html><title>Logo</title><p>Drawn.</p>'
  const { page_id } = await ada['pages.create']({
    ...{ task_id: tasks.logo.task_id, content, canvas: true },
  })
  return { page_id }
}

export const aboutPages: Record<string, (w: World) => Fields | Promise<Fields>> = {
  'pages.create': (w) => ({
    task_id: w.tasks.logo.task_id,
    title: 'Colours',
    content: 'Red, or blue.',
  }),
  'pages.get': written,
  'pages.list': async (w) => {
    await written(w)
    return { task_id: w.tasks.logo.task_id }
  },
  'pages.update': async (w) => ({ ...(await written(w)), content: 'Or green.', mode: 'append' }),
  'pages.versions': written,
  'pages.diff': written,
  'pages.restore': versioned,
  'pages.archive': written,
  'pages.canvas': drawn,
}
