-- Text without accents has σ for ς from now on (0007 explains the function).
CREATE FUNCTION "make_grams"(VARIADIC texts text[]) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
	one text;
	plain text;
	code integer;
	unit integer;
	value bigint;
	found integer[] := '{}';
BEGIN
	FOREACH one IN ARRAY texts LOOP
		plain := replace(replace(replace(replace(replace(translate(one, 'àáâãäāăąǎçćĉċčďđðèéêëēĕėęěĝğġģĥħìíîïĩīĭįıĵķĺļľŀłñńņňŉòóôõöøōŏőŕŗřśŝşšșţťŧțùúûüũūŭůűųŵýÿŷźżžς', 'aaaaaaaaacccccdddeeeeeeeeegggghhiiiiiiiiijklllllnnnnnooooooooorrrsssssttttuuuuuuuuuuwyyyzzzσ'), 'å', 'aa'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th');
		FOR at IN 1 .. length(plain) - 2 LOOP
			value := 2166136261;
			FOR step IN 0 .. 2 LOOP
				code := ascii(substr(plain, at + step, 1));
				FOREACH unit IN ARRAY CASE WHEN code > 65535
					THEN ARRAY[55296 + ((code - 65536) >> 10), 56320 + ((code - 65536) & 1023)] ELSE ARRAY[code] END LOOP
					value := ((value # unit) * 16777619) & 4294967295;
				END LOOP;
			END LOOP;
			found := found || (CASE WHEN value > 2147483647 THEN value - 4294967296 ELSE value END)::integer;
		END LOOP;
	END LOOP;
	RETURN ARRAY(SELECT DISTINCT unnest(found));
END
$$;--> statement-breakpoint
UPDATE "customers" SET "grams" = "make_grams"("name_search", "number_search")
WHERE "name_search" LIKE '%ς%' OR "number_search" LIKE '%ς%';--> statement-breakpoint
UPDATE "mandates" SET "grams" = "make_grams"("customer_search", "customer_number_search")
WHERE "customer_search" LIKE '%ς%' OR "customer_number_search" LIKE '%ς%';--> statement-breakpoint
UPDATE "payments" SET "grams" = "make_grams"("customer_search", "reference_search", "description_search")
WHERE "customer_search" LIKE '%ς%' OR "reference_search" LIKE '%ς%' OR "description_search" LIKE '%ς%';--> statement-breakpoint
DROP FUNCTION "make_grams";
