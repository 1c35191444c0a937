"""Game nights: an evening with a date, again and again. Pure: values in, values out."""
