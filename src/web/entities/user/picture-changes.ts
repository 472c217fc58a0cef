import { useCache, useOperationMutation } from '../../data/cache.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { type Actor, keyOf } from './actor.ts'
import { pictures, pictureUrl } from './pictures.ts'

/** Uploads or removes the picture of the user, or of an agent. Both can be undone. */
export function usePictureChanges(actor: Actor) {
  const key = keyOf(actor)
  const ref = actor.agent_id ?? 'me'
  const version = pictures.use().get(key)
  const cache = useCache()
  const reload = () => {
    void cache.invalidateQueries({ queryKey: ['avatars.versions'] })
    void cache.invalidateQueries({ queryKey: ['user_context.get'] })
  }
  const { mutateAsync: update } = useOperationMutation('avatars.update', { onDone: reload })
  const { mutateAsync: clear } = useOperationMutation('avatars.delete', { onDone: reload })
  const previous = async () => version && (await load(pictureUrl(key, version)))
  const restore = (image: string | undefined) =>
    (image ? update({ actor: ref, data: image }) : clear({ actor: ref })).catch(showError)
  const upload = async (image: Blob) => {
    const before = await previous()
    await update({ actor: ref, data: await toBase64(image) })
    showToast(t('user.changed_the_picture'), () => restore(before), `picture ${key}`)
  }
  const remove = async () => {
    try {
      const before = await previous()
      await clear({ actor: ref })
      showToast(t('user.removed_the_picture'), () => restore(before), `picture ${key}`)
    } catch (error) {
      showError(error as Error)
    }
  }
  return { hasPicture: version !== undefined, upload, remove }
}

async function load(url: string): Promise<string | undefined> {
  const response = await fetch(url)
  return response.ok ? toBase64(await response.blob()) : undefined
}

const toBase64 = (image: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1]!)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(image)
  })
