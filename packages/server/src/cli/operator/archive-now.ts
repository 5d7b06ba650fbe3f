import { compose } from '../../composition/compose.js';
import { SECRET_BOX, UNIT_OF_WORK } from '../../composition/tokens.js';
import { jsonLogger, logFrom } from '../../monitoring/logging.js';
import { auditKeptSince, rotateAudit } from '../../audit/rotate-audit.js';
import type { ServerSettings } from '../../settings/settings.js';
import { systemClock } from '../../system.js';

/** Moves old entries into archives, as the owner of the database. Returns their number. */
export async function archiveNow(settings: ServerSettings, folder: string): Promise<number> {
  const { container, close } = await compose(settings, logFrom(jsonLogger('warn')));
  try {
    const unitOfWork = await container.getAsync(UNIT_OF_WORK);
    const secretBox = container.get(SECRET_BOX);
    const before = auditKeptSince(settings, systemClock.now());
    return await rotateAudit({ unitOfWork, secretBox }, folder, before);
  } finally {
    await close();
  }
}
