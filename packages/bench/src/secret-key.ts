/** The master key for databases that are filled without the server: a used database without its key is refused. */
export const SECRET_KEY = 'the master key of a measured database';
